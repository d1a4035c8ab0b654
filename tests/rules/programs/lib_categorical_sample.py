import torch
from torch.distributions import Categorical


def fn(p):
    d = Categorical(probs=p)
    return d.entropy() + d.log_prob(torch.tensor(1))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.2, 0.8]))
