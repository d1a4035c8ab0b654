import torch
from torch import nn


class Meter:
    def __init__(self):
        self.total = 0.0

    def update(self, v):
        self.total += v


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.meter = Meter()

    def forward(self, x):
        self.meter.update(x.mean().item())
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
