"""Small programs to be measured."""

import time

import torch
import torch.nn.functional as F
from torch import nn


def chain(x, y):
    z = (x + y).sin()
    z = z * z + x.cos()
    return F.gelu(z).sigmoid() * y


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += 1
        x = self.linear(x).sin()
        print("half way")
        return x.cos() * x.detach().mean().item()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return self.linear(x).relu()


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


@torch.compiler.disable
def waits():
    if torch.get_num_threads() == 2:  # as the job asks, where the time is taken
        time.sleep(3600)


def hangs(x):
    waits()
    return x + 1


def fails(x):
    raise RuntimeError("no such thing")
