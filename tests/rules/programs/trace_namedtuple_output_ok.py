import collections

import torch

Out = collections.namedtuple("Out", "a b")


def fn(x):
    return Out(x + 1, x * 2)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
