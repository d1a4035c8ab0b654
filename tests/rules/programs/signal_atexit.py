import atexit

import torch


def fn(x):
    atexit.register(print)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
