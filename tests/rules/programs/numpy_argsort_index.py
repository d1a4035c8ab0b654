import numpy as np
import torch


def fn(x):
    order = np.argsort(x.numpy())
    return x[torch.as_tensor(order)]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.rand(4))
