import numpy as np
import torch


def fn(x):
    low = np.random.randint(0, 5)
    noise = np.random.normal(0.0, 1.0)
    return x * 2 + low + noise


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
