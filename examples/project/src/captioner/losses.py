"""Losses of the captioner, and the statistics that go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor

from .metrics import Statistics, token_statistics

if TYPE_CHECKING:
    from .model import Captioner

PAD = 0


def valid_mask(tokens: Tensor) -> Tensor:
    return tokens != PAD


def masked_cross_entropy(logits: Tensor, target: Tensor, mask: Tensor) -> Tensor:
    """Zero where the mask is; the mean is over what is left, without a host read."""
    nll = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
    return (nll * mask).sum() / mask.sum().clamp(min=1)


def selected_cross_entropy(logits: Tensor, target: Tensor, mask: Tensor) -> Tensor:
    """The same by selection: the number of selected tokens is a shape that only the data knows."""
    return F.cross_entropy(logits[mask], target[mask])


def caption_loss(logits: Tensor, target: Tensor, statistics: Statistics | None = None, smooth: float = 0.0) -> Tensor:
    mask = valid_mask(target)
    loss = masked_cross_entropy(logits, target, mask)
    if smooth > 0:
        loss = (1 - smooth) * loss - smooth * logits.log_softmax(-1).mean()
    if statistics is not None:
        token_statistics(statistics, logits.detach(), target, mask)
    return loss


def weight_penalty(model: Captioner, factor: float = 1e-4) -> Tensor:
    return factor * torch.stack([p.square().sum() for p in model.parameters() if p.ndim > 1]).sum()
