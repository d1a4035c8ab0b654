import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    @property
    def gain(self) -> int:
        return self.k * 2

    def forward(self, x):
        return x * self.gain


if __name__ == "__main__":
    captured = torch.jit.script(Net())
