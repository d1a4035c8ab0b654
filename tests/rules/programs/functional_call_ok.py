import torch
from torch import nn
from torch.func import functional_call

NET = nn.Linear(3, 3)


def fn(x):
    params = {k: v * 2 for k, v in NET.named_parameters()}
    return functional_call(NET, params, (x,))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 3))
