import torch


@torch.compile
def inner(x):
    return x * 2


def fn(x):
    return inner(x) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
