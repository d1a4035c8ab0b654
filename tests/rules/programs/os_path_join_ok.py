import os

import torch


def fn(x):
    p = os.path.join("a", "b")
    return x + len(p)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
