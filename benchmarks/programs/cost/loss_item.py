"""A loss that is read on the host in the middle, and scaled by what was read."""

import torch
import torch.nn.functional as F

ENTRY, INPUTS = "loss", "(torch.randn(512, 512), torch.randn(512, 512))"
FIXED = "fixed"


def loss(predicted, wanted):
    error = F.smooth_l1_loss(torch.tanh(predicted) * 2, wanted.sin().exp(), reduction="none")
    scale = error.mean().item()
    return ((error / (scale + 1e-6)).sigmoid() * error.sqrt()).mean()


def fixed(predicted, wanted):
    error = F.smooth_l1_loss(torch.tanh(predicted) * 2, wanted.sin().exp(), reduction="none")
    scale = error.mean()
    return ((error / (scale + 1e-6)).sigmoid() * error.sqrt()).mean()
