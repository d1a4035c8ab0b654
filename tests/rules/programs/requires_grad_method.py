import torch


def fn(x):
    y = x.clone()
    y.requires_grad_()
    return (y * 2).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
