import torch


def fn(x):
    y = x * 2
    y.retain_grad()
    return y.sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
