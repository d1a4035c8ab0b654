import os

import torch


def fn(x):
    os.environ["X_FLAG"] = "1"
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
