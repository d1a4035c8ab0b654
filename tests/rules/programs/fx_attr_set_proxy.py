import torch
import torch.fx


def fn(x):
    y = x * 2
    y.requires_grad_(True)
    return y


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
