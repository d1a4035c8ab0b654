import torch


def fn(x):
    v = x._version
    y = x.add_(1)
    return y * (v + 1)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
