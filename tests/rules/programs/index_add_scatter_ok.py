import torch


def fn(x, i):
    return x.scatter_add(0, i, torch.ones(2))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.zeros(4), torch.tensor([0, 2]))
