import torch
from torch import nn


class Net(nn.Module):
    GAIN = 2

    @classmethod
    def gain(cls):
        return cls.GAIN

    @staticmethod
    def shift(x, k=1):
        return x + k

    def forward(self, x):
        return self.shift(x, k=self.gain())


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
