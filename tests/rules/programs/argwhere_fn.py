import torch


def fn(x):
    return torch.argwhere(x > 0).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0, 1, 1]))
