import torch


def fn(x, n):
    assert n > 0
    return x * n


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.tensor(2))
