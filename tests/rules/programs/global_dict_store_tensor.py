import torch

LAST = {}


def fn(x):
    y = x * 2
    LAST["y"] = y
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
