import torch

TABLE = {0: 1.0, 1: 2.0}


def fn(x, kind):
    return x * TABLE[kind.item()]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2), torch.tensor(1))
