import torch


def fn(x):
    acc = 0
    for part in x.split(2):
        acc = acc + part.sum()
    return acc


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4, 2),))
