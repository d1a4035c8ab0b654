import sys

import torch


def fn(x):
    sys.stderr.write("step\n")
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
