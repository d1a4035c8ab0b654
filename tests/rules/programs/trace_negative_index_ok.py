import torch


def fn(x):
    return x[-1] + x.size(-1)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(6),))
