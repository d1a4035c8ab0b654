import enum

import torch
from torch import nn


class Mode(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


class Net(nn.Module):
    def __init__(self, mode):
        super().__init__()
        self.mode = mode

    def forward(self, x):
        if self.mode is Mode.SUM:
            return x.sum()
        return x.mean() + len(self.mode.value)


if __name__ == "__main__":
    captured = torch.compile(Net(Mode.MEAN))
    captured(torch.ones(3))
