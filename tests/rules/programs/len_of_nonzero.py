import torch


def fn(x):
    n = len(torch.nonzero(x))
    return x + n


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1, 0, 1]))
