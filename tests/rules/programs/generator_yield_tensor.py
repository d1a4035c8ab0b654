import torch


def halves(x):
    yield x / 2
    yield x / 4


def fn(x):
    a, b = halves(x)
    return a + b


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
