import torch


def fn(x):
    if x.shape[0] > 3:
        return x[:3]
    return x + 1


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4, 3),))
