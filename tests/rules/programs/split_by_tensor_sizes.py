import torch


def fn(x, sizes):
    a, b = x.split(tuple(sizes.tolist()))
    return a.sum() - b.sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(6.0), torch.tensor([2, 4]))
