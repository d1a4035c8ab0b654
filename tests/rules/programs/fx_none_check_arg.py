import torch
import torch.fx


def fn(x, bias=None):
    if bias is None:
        return x
    return x + bias


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
