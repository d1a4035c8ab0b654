import sys

import torch


def fn(x):
    if sys.platform == "win32" or sys.version_info < (3, 8):
        return x
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
