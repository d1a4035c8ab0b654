import torch

USE_BIAS = True


def fn(x):
    if USE_BIAS:
        return x + 1
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
