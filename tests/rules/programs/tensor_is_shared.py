import torch


def fn(x):
    return x * 2 if x.is_shared() else x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
