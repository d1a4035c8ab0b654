import warnings

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.warned = False

    def forward(self, x):
        if not self.warned:
            warnings.warn("deprecated", DeprecationWarning)
            self.warned = True
        return x + 1


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
