import torch
import torch.fx


def fn(x, mask=None):
    y = x * 2
    return y + 1


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
