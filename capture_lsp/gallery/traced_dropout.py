"""Dropout in a trace

Whether a module trains is a Python flag. A trace reads it once: made in training mode it drops values forever, made in
evaluation mode never again, and `eval()` on what was traced changes nothing. torch.compile guards on the flag and keeps
a graph for each mode.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F


# capture: inputs(torch.arange(1.0, 9.0).reshape(2, 4))
class Head(nn.Module):
    """Dropout and a linear layer."""

    def __init__(self, width: int = 4, classes: int = 2) -> None:
        super().__init__()
        self.out = nn.Linear(width, classes)

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            x = F.dropout(x, p=0.5)
        return self.out(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    head = Head()
    traced = torch.jit.trace(head, torch.ones(2, 4), check_trace=False)
    head.eval()
    traced.eval()
    print("eager ", head(torch.ones(2, 4)))
    print("traced", traced(torch.ones(2, 4)))
