import time

import torch


def fn(x):
    t = time.time()
    return x * t


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
