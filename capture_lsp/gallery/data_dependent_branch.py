"""A branch on the data

The `if` asks for the contents of a tensor, which only exist once the program runs. A trace runs the function once and
keeps the side that this one input took: inputs that go the other way get the wrong formula, and no error says so.
torch.compile ends its graph at the `if` and lets Python decide, which is right but costs a second graph; frontends that
want one graph for the whole function refuse.
"""

import torch
from torch import Tensor


# capture: inputs(torch.tensor([0.5, 1.0, 2.0, 0.25]))
def to_weights(scores: Tensor) -> Tensor:
    """Scores as weights that add up to one."""
    if scores.sum() > 0:
        return scores / scores.sum()
    return scores.softmax(dim=0)


if __name__ == "__main__":
    traced = torch.jit.trace(to_weights, torch.tensor([0.5, 1.0, 2.0, 0.25]))
    scores = torch.tensor([-0.5, -1.0, -2.0, -0.25])
    print("eager ", to_weights(scores))
    print("traced", traced(scores))
