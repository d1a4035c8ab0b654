import warnings

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.dim() == 1:
            warnings.warn("got a vector", FutureWarning, stacklevel=2)
        return x + 1


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
