import torch
from torch.distributions import Categorical


def fn(p):
    return Categorical(p).sample()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.5, 0.5]))
