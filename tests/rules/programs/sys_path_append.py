import sys

import torch


def fn(x):
    sys.path.append("/tmp/none")
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
