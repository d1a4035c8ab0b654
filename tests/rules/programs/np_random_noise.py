import numpy as np
import torch


def fn(x):
    noise = np.random.rand()
    return x + noise


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
