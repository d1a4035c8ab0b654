import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.MultiMarginLoss()

    def forward(self, x):
        return self.loss(x, torch.tensor([0, 1]))


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(2, 3))
