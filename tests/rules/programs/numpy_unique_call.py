import numpy as np
import torch


def fn(x):
    return torch.as_tensor(np.unique(x.numpy())) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1, 1, 2]))
