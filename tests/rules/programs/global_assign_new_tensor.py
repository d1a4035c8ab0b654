import torch

LAST = None


def fn(x):
    global LAST
    LAST = x * 2
    return LAST + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
