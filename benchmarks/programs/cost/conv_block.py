"""Convolution, batch norm, activation, and a residual."""

import torch.nn.functional as F
from torch import nn

ENTRY, INPUTS = "ConvBlock().eval()", "torch.randn(4, 32, 32, 32)"


class ConvBlock(nn.Module):
    def __init__(self, channels=32):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return F.silu(self.norm(self.conv(x))) + x
