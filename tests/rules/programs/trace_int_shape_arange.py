import torch


def fn(x):
    pos = torch.arange(int(x.size(0)))
    return x + pos


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4),))
