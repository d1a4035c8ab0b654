import torch


def fn(x):
    n = min(x.shape[0], x.shape[1])
    return x[:n, :n].sum()


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4, 8),))
