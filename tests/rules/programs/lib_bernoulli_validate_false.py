import torch
from torch.distributions import Bernoulli


def fn(p):
    return Bernoulli(p, validate_args=False).entropy()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.2, 0.8]))
