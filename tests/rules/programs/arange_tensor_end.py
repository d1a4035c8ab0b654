import torch


def fn(n):
    return torch.arange(n) * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(4))
