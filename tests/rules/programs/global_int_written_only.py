import torch

CALLS = 0


def fn(x):
    global CALLS
    CALLS += 1
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
