import torch


def fn(x):
    assert x.shape[1] == 4
    return x.sum(0)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3, 4),))
