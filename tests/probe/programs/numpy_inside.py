import numpy as np
import torch


def fn(x):
    return torch.from_numpy(np.cumsum(x.numpy()))
