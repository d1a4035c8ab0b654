import torch


def fn(x):
    y = x.clone()
    y[1:] = x[:-1]
    return y


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4),))
