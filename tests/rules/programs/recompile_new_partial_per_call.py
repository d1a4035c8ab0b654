import functools

import torch


def fn(x, op):
    return op(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), functools.partial(torch.add, other=1))
