import torch

SCALE = [1.0]


def fn(x):
    return x * SCALE[0]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
