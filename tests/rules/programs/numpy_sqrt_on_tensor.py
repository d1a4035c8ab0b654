import numpy as np
import torch


def fn(x):
    return torch.from_numpy(np.sqrt(x.numpy())) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4))
