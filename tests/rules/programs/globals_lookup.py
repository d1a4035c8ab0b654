import torch

FACTOR = 3


def fn(x):
    return x * globals()["FACTOR"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
