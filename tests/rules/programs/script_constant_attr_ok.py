from typing import Final

import torch
from torch import nn


class Net(nn.Module):
    scale: Final[int]

    def __init__(self):
        super().__init__()
        self.scale = 2

    def forward(self, x):
        if self.scale == 2:
            return x * self.scale
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
