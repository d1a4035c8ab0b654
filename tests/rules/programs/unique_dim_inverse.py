import torch


def fn(x):
    u, inv = x.unique(dim=0, return_inverse=True)
    return u.sum() + inv


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([[1, 2], [1, 2]]))
