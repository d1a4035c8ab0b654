import itertools

import torch


def fn(x):
    for a, b in itertools.product((1, 2), (3, 4)):
        x = x + a * b
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
