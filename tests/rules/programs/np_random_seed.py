import numpy as np
import torch


def fn(x):
    np.random.seed(0)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
