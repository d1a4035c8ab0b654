import torch


def fn(x):
    return x + 1, x.shape[0] * 0.5


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
