import torch
from torch.distributions import MultivariateNormal


def fn(mu):
    d = MultivariateNormal(mu, torch.eye(2))
    return d.log_prob(mu)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.zeros(2))
