import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def forward(self, x):
        mask = self.cache.setdefault("mask", torch.ones(()))
        return x * mask


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
