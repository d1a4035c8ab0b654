import torch


def fn(x):
    while x.shape[0] > 1:
        x = x[::2] + x[1::2]
    return x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(8),))
