"""Two layers with a GELU between them."""

import torch.nn.functional as F
from torch import nn

ENTRY, INPUTS = "Mlp().eval()", "torch.randn(256, 256)"


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(256, 1024)
        self.down = nn.Linear(1024, 256)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))
