import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        self.mean.mul_(0.9).add_(x * 0.1)
        return x - self.mean


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
