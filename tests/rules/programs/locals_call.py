import torch


def fn(x):
    a = 2
    return x * locals()["a"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
