"""A threshold on .item()

Clipping by the norm, with the norm taken to Python. A trace holds the number that the example gave, and with it the
side of the `if`. torch.compile breaks its graph at `.item()`: what comes before it is one graph, the scaling another.
The same with tensors alone, `g * (limit / norm).clamp(max=1)`, is one graph and holds no number.
"""

import torch
from torch import Tensor


# capture: inputs(torch.tensor([3.0, 4.0, 12.0]))
def clipped(gradient: Tensor, limit: float = 1.0) -> Tensor:
    """The gradient, scaled down to a norm of at most `limit`."""
    norm = gradient.norm().item()
    if norm > limit:
        return gradient * (limit / norm)
    return gradient


if __name__ == "__main__":
    traced = torch.jit.trace(clipped, torch.tensor([3.0, 4.0, 12.0]))
    print("eager ", clipped(torch.tensor([0.3, 0.4, 0.0])))
    print("traced", traced(torch.tensor([0.3, 0.4, 0.0])))
