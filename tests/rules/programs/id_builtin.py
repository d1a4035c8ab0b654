import torch


def fn(x):
    return x + (id(x) > 0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
