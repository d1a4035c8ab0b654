import torch


def fn(x):
    if x.requires_grad:
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
