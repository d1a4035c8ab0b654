import torch


def fn(x):
    import math

    return x * math.pi


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
