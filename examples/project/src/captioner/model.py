"""The model: a convolutional encoder and a decoder that reads the caption with a GRU cell."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .losses import caption_loss
from .metrics import Statistics


class Encoder(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, dim, 4, stride=4), nn.ReLU(), nn.Conv2d(dim, dim, 2, stride=2))

    def forward(self, images: Tensor) -> Tensor:
        return self.body(images).flatten(2).mean(dim=2)


class Decoder(nn.Module):
    def __init__(self, vocabulary: int, dim: int):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim, padding_idx=0)
        self.cell = nn.GRUCell(dim, dim)
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, state: Tensor, tokens: Tensor) -> Tensor:
        outputs = []
        for t in range(tokens.shape[1]):
            state = self.cell(self.embed(tokens[:, t]), state)
            outputs.append(self.head(state))
        return torch.stack(outputs, dim=1)

    def beam(self, state: Tensor, steps: int, start: int = 1, end: int = 2) -> Tensor:
        token = torch.full((state.shape[0],), start, device=state.device)
        tokens = []
        for _ in range(steps):
            state = self.cell(self.embed(token), state)
            token = self.head(state).argmax(dim=-1)
            tokens.append(token)
            if (token == end).all():
                break
        return torch.stack(tokens, dim=1)


class Captioner(nn.Module):
    def __init__(self, vocabulary: int = 32, dim: int = 16):
        super().__init__()
        self.encoder = Encoder(dim)
        self.decoder = Decoder(vocabulary, dim)
        self.statistics = Statistics()

    def forward(self, images: Tensor, captions: Tensor) -> Tensor:
        """The training loss; statistics ride along while training."""
        logits = self.decoder(self.encoder(images), captions[:, :-1])
        statistics = self.statistics if self.training else None
        return caption_loss(logits, captions[:, 1:], statistics, smooth=0.1)

    @torch.no_grad()
    def caption(self, images: Tensor, steps: int = 8) -> Tensor:
        """Not compiled."""
        return self.decoder.beam(self.encoder(images), steps)
