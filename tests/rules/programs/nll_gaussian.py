import torch
import torch.nn.functional as F


def fn(x, t, v):
    return F.gaussian_nll_loss(x, t, v)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.zeros(3), torch.ones(3))
