import sys

import torch


def fn(x):
    sys.stdout.write("hello")
    sys.stdout.flush()
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
