import os

import torch


def fn(x):
    if os.path.exists("/nonexistent/override.pt"):
        return x * 0
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
