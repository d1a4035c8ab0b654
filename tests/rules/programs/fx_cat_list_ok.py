import torch
import torch.fx


def fn(a, b):
    return torch.cat([a, b]).sum()


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
