import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.temp = 1.0

    def forward(self, x):
        self.temp = self.temp * 0.9
        return x / self.temp


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
