import torch


def fn(x):
    w = torch.ones(3, requires_grad=True)
    return (x * w).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
