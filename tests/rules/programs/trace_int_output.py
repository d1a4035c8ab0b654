import torch


def fn(x):
    return x * 2, 3


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
