import collections

import torch


def fn(x):
    P = collections.namedtuple("P", ["a"])
    return P(x).a + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
