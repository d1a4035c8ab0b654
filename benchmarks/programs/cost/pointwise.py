"""A chain of pointwise operations."""

import torch.nn.functional as F

ENTRY, INPUTS = "chain", "(torch.randn(1024, 1024), torch.randn(1024, 1024))"


def chain(x, y):
    z = (x + y).sin()
    z = z * z + x.cos()
    return F.gelu(z).sigmoid() * y
