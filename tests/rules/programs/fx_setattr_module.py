import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        self.last = x * 2
        return x + 1


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(Net())
