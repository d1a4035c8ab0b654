import torch


def fn(x):
    n = 3
    while n > 0:
        x = x + n
        n -= 1
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
