import functools

import torch


def fn(xs):
    return functools.reduce(lambda a, b: a + b, xs)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.ones(3), torch.ones(3)])
