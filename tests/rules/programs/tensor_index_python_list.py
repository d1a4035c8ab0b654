import torch

WEIGHTS = [0.5, 2.0]


def fn(x, which):
    return x * WEIGHTS[which]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2), torch.tensor(1))
