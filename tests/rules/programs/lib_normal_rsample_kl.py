import torch
from torch import distributions as D


def fn(mu, sigma):
    q = D.Normal(mu, sigma)
    p = D.Normal(torch.zeros(3), torch.ones(3))
    return q.rsample() + D.kl_divergence(q, p)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.zeros(3), torch.ones(3))
