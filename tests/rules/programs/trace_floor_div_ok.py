import torch


def fn(x):
    h = x.shape[0] // 2
    return x[:h] + x[h:]


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(6),))
