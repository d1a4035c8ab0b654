import torch

LOG = []


def fn(x):
    LOG.append(x.shape)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
