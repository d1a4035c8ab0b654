import torch


def fn(x):
    return x * torch.empty_like(x).bernoulli_(0.5)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
