import torch


def fn(x):
    return torch.ones(25 << 30).sum() + x
