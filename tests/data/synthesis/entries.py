"""What a file holds: captured things, modules, parts of modules, helpers."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return helper(self.fc(x))


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Other(Whole):
    pass


class NoForward(nn.Module):
    pass


class Captured(nn.Module):
    def forward(self, x):
        return x + 1


model = torch.compile(Captured(), backend="eager")


@torch.compile(backend="eager")
def step(x):
    return x.relu()


def helper(x):
    return torch.relu(x)


def loss(prediction, target):
    return torch.nn.functional.mse_loss(prediction, target)


def annotated(x: torch.Tensor) -> int:
    return len(x)


def read_file(path: str) -> str:
    return path


def main():
    print(step(torch.ones(2)))
