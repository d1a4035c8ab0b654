import torch


def fn(x):
    return torch.masked_select(x, x > 0.5).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.1, 0.9]))
