import torch


def fn(x):
    if x.shape[0] % 2:
        x = x[:-1]
    return x.reshape(2, -1)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(6),))
