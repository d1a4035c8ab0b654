import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(x)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(4, 3))
