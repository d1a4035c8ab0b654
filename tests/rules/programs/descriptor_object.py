import torch
from torch import nn


class Twice:
    def __get__(self, obj, owner):
        return obj.k * 2


class Net(nn.Module):
    gain = Twice()

    def __init__(self):
        super().__init__()
        self.k = 2

    def forward(self, x):
        return x * self.gain


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
