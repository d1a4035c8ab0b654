import torch


def fn(batch):
    for key, value in batch.items():
        value = value + len(key)
    return value


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured({"a": torch.ones(3)})
