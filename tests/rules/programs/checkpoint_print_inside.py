import torch
from torch.utils.checkpoint import checkpoint


def block(x):
    y = x.sin()
    print("mean", y.mean())
    return y


def fn(x):
    return checkpoint(block, x, use_reentrant=False).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
