import torch
import torch.fx


def fn(x):
    return torch.zeros(x.size(0), 2).sum() + x


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
