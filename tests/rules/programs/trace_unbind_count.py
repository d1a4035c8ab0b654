import torch


def fn(x):
    return torch.stack([t.cumsum(0) for t in x.unbind(0)])


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3, 2),))
