import numpy as np
import torch


def fn(x):
    n = int(np.prod(x.shape))
    return x.reshape(n)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3, 2),))
