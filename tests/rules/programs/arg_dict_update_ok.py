import torch


def fn(batch):
    batch.update(y=batch["x"] * 2)
    return batch["y"] + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured({"x": torch.ones(3)})
