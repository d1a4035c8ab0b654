import torch


def fn(x):
    return x + 1, "ok"


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
