"""Self-attention with its projections and rotary positions."""

import torch
import torch.nn.functional as F
from torch import nn

ENTRY, INPUTS = "Attention().eval()", "torch.randn(4, 128, 256)"


class Attention(nn.Module):
    def __init__(self, width=256, heads=8, longest=512):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        half = width // heads // 2
        angles = torch.outer(torch.arange(longest), 10000.0 ** (-torch.arange(half) / half))
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def turned(self, x):
        """Each pair of numbers of a head, turned by the angle of its position."""
        length = x.shape[-2]
        cos, sin = self.cos[:length], self.sin[:length]
        one, other = x.chunk(2, dim=-1)
        return torch.cat((one * cos - other * sin, other * cos + one * sin), dim=-1)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(self.turned(q), self.turned(k), v)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))
