import warnings

import torch


def fn(x):
    warnings.warn_explicit("slow path", UserWarning, "fn.py", 1)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
