import torch
import torch.fx


def fn(x):
    return x + torch.randn_like(x)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
