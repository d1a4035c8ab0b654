import torch
from torch.func import jacrev


def fn(x):
    return jacrev(torch.sin)(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
