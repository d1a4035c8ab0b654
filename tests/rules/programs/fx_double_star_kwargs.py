import torch
import torch.fx


def scaled(x, alpha=1.0):
    return x * alpha


def fn(x, opts):
    return scaled(x, **opts)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
