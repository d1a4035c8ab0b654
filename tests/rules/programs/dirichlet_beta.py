import torch
from torch.distributions import Beta


def fn(p):
    return Beta(p, p).mean


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.5, 0.5]))
