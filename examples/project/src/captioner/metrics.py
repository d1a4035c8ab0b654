"""Running statistics: one kept on the host, one kept in a tensor."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class Statistics:
    tokens: int = 0
    correct: float = 0.0
    lengths: list[int] = field(default_factory=list)

    @property
    def accuracy(self) -> float:
        return self.correct / max(1, self.tokens)


def ratio(numerator: Tensor, denominator: Tensor) -> float:
    """Two calls away from the model that is compiled."""
    return numerator.sum().item() / (denominator.sum().item() + 1e-6)


def token_statistics(statistics: Statistics, logits: Tensor, target: Tensor, mask: Tensor) -> None:
    correct = (logits.argmax(dim=-1) == target) & mask
    statistics.correct += ratio(correct, mask)
    statistics.tokens += 1


def caption_lengths(tokens: Tensor) -> list[int]:
    """Called by the training script alone, on what comes out of the model."""
    return (tokens != 0).sum(dim=1).tolist()


def perplexity(loss: Tensor) -> float:
    return torch.exp(loss.detach()).item()
