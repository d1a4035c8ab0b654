"""Both sides in the graph

A branch on the data, written so that it can be captured. `torch.cond` puts both sides into the graph and lets the data
choose when the graph runs. torch.compile has one graph without a break, `fullgraph=True` and torch.export take it, and
inputs that go the other way get the other side. The tracers, torch.jit.trace and torch.fx, refuse it.
"""

import torch
from torch import Tensor


def shared_out(scores: Tensor) -> Tensor:
    return scores / scores.sum()


def softened(scores: Tensor) -> Tensor:
    return scores.softmax(dim=0)


# capture: inputs(torch.tensor([0.5, 1.0, 2.0, 0.25]))
def to_weights(scores: Tensor) -> Tensor:
    """Scores as weights that add up to one."""
    return torch.cond(scores.sum() > 0, shared_out, softened, (scores,))


if __name__ == "__main__":
    compiled = torch.compile(to_weights, backend="eager", fullgraph=True)
    print(compiled(torch.tensor([0.5, 1.0, 2.0, 0.25])))
    print(compiled(torch.tensor([-0.5, -1.0, -2.0, -0.25])))
