import torch


def fn(x):
    return x.flatten() * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
