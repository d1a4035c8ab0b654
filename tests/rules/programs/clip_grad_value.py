import torch
from torch.nn.utils import clip_grad_value_

W = torch.nn.Parameter(torch.ones(3))
W.grad = torch.full((3,), 5.0)


def fn(x):
    clip_grad_value_([W], 1.0)
    return x * W.grad


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
