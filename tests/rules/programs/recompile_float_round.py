import torch


def fn(x, lr):
    if lr > 0.25:
        return x * lr
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), 0.1)
