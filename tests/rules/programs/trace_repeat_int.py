import torch


def fn(x, y):
    return x.repeat(len(y), 1) + y


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(1, 2), torch.ones(3, 2)))
