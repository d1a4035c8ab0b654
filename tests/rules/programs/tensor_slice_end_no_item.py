import torch


def fn(x, n):
    return x[:n].sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(6.0), torch.tensor(3))
