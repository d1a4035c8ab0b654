import random

import torch


def fn(x):
    a = random.uniform(0.5, 1.5)
    return x * a


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
