import torch


def fn(x):
    y = x[None] if x.ndim == 1 else x
    return y.sum(-1)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(6),))
