import os

import torch


def fn(x):
    return x * int(os.getenv("MY_FACTOR", "3"))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
