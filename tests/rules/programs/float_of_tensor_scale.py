import torch


def fn(x):
    s = float(x.abs().max())
    return x / s


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
