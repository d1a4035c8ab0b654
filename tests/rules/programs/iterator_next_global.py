import itertools

import torch

IDS = itertools.count()


def fn(x):
    return x + next(IDS)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
