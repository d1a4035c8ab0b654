import torch


def fn(x, scale=2.0, bias=None):
    y = x * scale
    return y if bias is None else y + bias


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4),))
