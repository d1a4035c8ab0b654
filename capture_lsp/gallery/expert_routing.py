"""Routing to experts

Each token goes to one expert, and an expert without tokens is left out. A trace keeps the experts that the first batch
used: tokens of later batches that belong to another one come out as zeros. Under torch.compile both the `if` and the
selection `tokens[chosen]`, whose size depends on the data, stand inside a loop, and the function runs eagerly.
"""

import torch
from torch import Tensor, nn


# capture: inputs(torch.ones(4, 8))
class Experts(nn.Module):
    """A router and its experts."""

    def __init__(self, width: int = 8, experts: int = 3) -> None:
        super().__init__()
        self.router = nn.Linear(width, experts)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(experts))

    def forward(self, tokens: Tensor) -> Tensor:
        winner = self.router(tokens).argmax(dim=-1)
        out = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            chosen = winner == number
            if chosen.any():
                out[chosen] = expert(tokens[chosen])
        return out


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Experts()
    traced = torch.jit.trace(model, torch.ones(4, 8))
    tokens = -torch.ones(4, 8)
    print("eager ", model(tokens).abs().sum(dim=-1))
    print("traced", traced(tokens).abs().sum(dim=-1))
