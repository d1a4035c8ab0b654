import torch


def make():
    n = 0

    def fn(x):
        nonlocal n
        n += 1
        return x * n

    return fn


if __name__ == "__main__":
    captured = torch.compile(make())
    captured(torch.ones(3))
