import torch
import torch.fx


def fn(x):
    return x + torch.rand(3)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
