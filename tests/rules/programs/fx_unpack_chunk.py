import torch
import torch.fx


def fn(x):
    a, b = x.chunk(2, dim=0)
    return a + b


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
