import torch
from torch.nn.utils import clip_grad_norm_

W = torch.nn.Parameter(torch.ones(3))
W.grad = torch.full((3,), 5.0)


def fn(x):
    return x * clip_grad_norm_([W], 1.0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
