import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = False
        self.scale = 1.0

    def forward(self, x):
        if not self.ready:
            self.scale = 2.0
            self.ready = True
        return x * self.scale


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
