import torch
import torch.fx


def fn(batch):
    if "mask" in batch:
        return batch["x"] * batch["mask"]
    return batch["x"] * 2


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
