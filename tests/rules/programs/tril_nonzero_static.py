import torch


def fn(x):
    i, j = torch.tril_indices(3, 3)
    return x[i, j].sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, 3))
