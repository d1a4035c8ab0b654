import numpy as np
import torch


def fn(x):
    n = np.linalg.norm(x.numpy())
    return x / n


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.rand(4))
