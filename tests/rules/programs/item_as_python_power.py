import torch


def fn(x):
    p = x.max().item()
    return x**p


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([2.0, 3.0]))
