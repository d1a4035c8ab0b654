import torch
from torch import nn

W = nn.Parameter(torch.ones(3))


def fn(x):
    h = W.register_post_accumulate_grad_hook(lambda p: None)
    y = (x * W).sum()
    h.remove()
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
