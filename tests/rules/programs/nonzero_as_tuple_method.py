import torch


def fn(x):
    r, c = x.nonzero(as_tuple=True)
    return x[r, c].sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([[1, 0], [1, 1]]))
