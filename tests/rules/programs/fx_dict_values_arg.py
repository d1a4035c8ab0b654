import torch
import torch.fx


def fn(batch):
    return sum(batch.values())


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
