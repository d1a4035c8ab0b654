"""Scores items by two experts behind a gate: one prediction here is right, one only the probe can correct."""

import json

import torch
from torch import Tensor, nn


class GatedScorer(nn.Module):
    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 1)
        self.cheap = nn.Linear(width, width)
        self.thorough = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, items: Tensor, temperature: Tensor) -> Tensor:
        confidence = self.gate(items).sigmoid().mean()
        if confidence > 0.5:
            scored = self.cheap(items)
        else:
            scored = self.thorough(items)
        if temperature != 1.0:
            scored = scored / temperature
        return scored.softmax(dim=-1)


if __name__ == "__main__":
    torch.manual_seed(0)
    settings = json.loads('{"temperature": 0.7}')  # a plain number, whatever the annotation says
    scorer = torch.compile(GatedScorer())
    for items in (torch.randn(8, 16), torch.randn(12, 16)):
        print(scorer(items, settings["temperature"]).shape)
