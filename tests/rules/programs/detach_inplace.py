import torch


def fn(x):
    y = x * 2
    y.detach_()
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
