import torch


def fn(x):
    n = 0

    def bump(t):
        nonlocal n
        n += 1
        return t * n

    return bump(bump(x))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
