from fractions import Fraction

import torch


def fn(x):
    half = Fraction(1, 2)
    return x * float(half)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
