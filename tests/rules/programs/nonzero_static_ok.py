import torch


def fn(x):
    return torch.nonzero_static(x, size=2).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0, 1, 1]))
