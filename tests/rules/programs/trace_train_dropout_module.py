import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        if self.training:
            return x * self.scale
        return x


if __name__ == "__main__":
    captured = torch.jit.trace(Net(), (torch.ones(8),))
