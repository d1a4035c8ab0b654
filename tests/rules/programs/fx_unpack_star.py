import torch
import torch.fx


def fn(x):
    first, *rest = x
    return first


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
