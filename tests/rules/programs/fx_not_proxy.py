import torch
import torch.fx


def fn(a):
    return torch.ones(2) * (not a)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
