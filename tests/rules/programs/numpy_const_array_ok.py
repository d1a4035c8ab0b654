import numpy as np
import torch


def fn(x):
    w = np.linspace(0.0, 1.0, 3)
    return x * torch.from_numpy(w)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
