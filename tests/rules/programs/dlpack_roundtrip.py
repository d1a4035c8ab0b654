import torch
from torch.utils.dlpack import from_dlpack, to_dlpack


def fn(x):
    return from_dlpack(to_dlpack(x)) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
