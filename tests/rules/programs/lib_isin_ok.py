import torch


def fn(x):
    return torch.isin(x, torch.tensor([1, 3])).int()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1, 2, 3]))
