import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stats = {"calls": 0}

    def forward(self, x):
        self.stats["calls"] += 1
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
