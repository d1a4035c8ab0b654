import torch
import torch.fx


def fn(x):
    n = len(x)
    return x / n


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
