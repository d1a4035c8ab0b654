import torch
from torch import nn

W = nn.Parameter(torch.ones(3))


def fn(x):
    if W.grad is None:
        return x * W
    return x * W.grad


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
