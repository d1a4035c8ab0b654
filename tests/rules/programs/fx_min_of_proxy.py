import torch
import torch.fx


def fn(a, b):
    return min(a, b)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
