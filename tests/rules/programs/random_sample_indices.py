import random

import torch


def fn(x):
    idx = random.sample(range(6), 2)
    return x[idx]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(6.0))
