import numpy as np
import torch

RNG = np.random.default_rng(0)


def fn(x):
    return x + RNG.normal()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
