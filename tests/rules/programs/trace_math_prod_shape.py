import math

import torch


def fn(x):
    return x.reshape(math.prod(x.shape))


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3, 2),))
