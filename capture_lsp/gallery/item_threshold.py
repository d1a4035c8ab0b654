"""A threshold on .item()

Clipping by the norm, with the norm taken to Python. Traced with a small gradient, the graph never clips; traced with a
large one, it divides by that one's norm forever. torch.compile breaks its graph at `.item()`, and compiles what comes
after it for the number that came out. The same with tensors alone, `gradient * (limit / norm).clamp(max=1)`, is one
graph and holds no number.
"""

import torch
from torch import Tensor


# capture: inputs(torch.tensor([0.3, 0.4, 0.0]))
def clipped(gradient: Tensor, limit: float = 1.0) -> Tensor:
    """The gradient, scaled down to a norm of at most `limit`."""
    norm = gradient.norm().item()
    scale = 1.0
    if norm > limit:
        scale = limit / norm
    return gradient * scale


if __name__ == "__main__":
    traced = torch.jit.trace(clipped, torch.tensor([0.3, 0.4, 0.0]))
    print("eager ", clipped(torch.tensor([3.0, 4.0, 12.0])))
    print("traced", traced(torch.tensor([3.0, 4.0, 12.0])))
