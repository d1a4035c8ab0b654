import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = []

    def forward(self, x):
        if not self.table:
            self.table.append(torch.linspace(0, 1, 3))
        return x * self.table[0]
