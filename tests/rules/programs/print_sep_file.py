import sys

import torch


def fn(x):
    x = x.sin()
    print("a", "b", sep=",", file=sys.stderr)
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
