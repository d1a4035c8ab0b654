import torch
import torch.fx


def fn(x):
    half = int(x.size(0) / 2)
    return x[:half]


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
