import torch


def print(*args):
    return len(args)


def fn(x):
    return x * print("a", x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
