import torch
from torch.func import grad_and_value


def fn(x):
    g, v = grad_and_value(lambda t: (t ** 2).sum())(x)
    return g * v


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
