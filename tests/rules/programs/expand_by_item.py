import torch


def fn(x, n):
    return x.expand(n.item(), -1).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(1, 3), torch.tensor(2))
