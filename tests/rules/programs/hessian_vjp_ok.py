import torch
from torch.func import vjp


def fn(x):
    y, pull = vjp(torch.sin, x)
    return pull(torch.ones(3))[0] + y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
