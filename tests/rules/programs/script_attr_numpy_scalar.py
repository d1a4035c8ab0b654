import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = np.float64(2.0)

    def forward(self, x):
        return x * self.k


if __name__ == "__main__":
    captured = torch.jit.script(Net())
