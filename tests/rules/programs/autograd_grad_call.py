import torch


def fn(x):
    y = (x ** 2).sum()
    (g,) = torch.autograd.grad(y, x)
    return g * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
