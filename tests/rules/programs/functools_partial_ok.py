import functools

import torch


def scale(x, k):
    return x * k


double = functools.partial(scale, k=2)


def fn(x):
    return double(x) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
