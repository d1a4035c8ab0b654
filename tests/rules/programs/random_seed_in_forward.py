import random

import torch


def fn(x):
    random.seed(0)
    return x * random.random()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(5.0))
