"""A print in a loop

A line of logging. TorchDynamo cannot put the printing of a number that is still to be computed into a graph, and it
cannot break a graph inside of a loop: so the whole function runs eagerly, and nothing of it is compiled. A trace
computes right and prints once, while it is made, and never again.
"""

import torch
from torch import Tensor


# capture: inputs(torch.tensor([4.0, 9.0, 2.0]))
def square_roots(x: Tensor) -> Tensor:
    """Newton's method, four steps."""
    root = torch.ones_like(x)
    for step in range(4):
        root = (root + x / root) / 2
        print("step", step, "error", (root * root - x).abs().max().item())
    return root


if __name__ == "__main__":
    print(torch.compile(square_roots, backend="eager")(torch.tensor([4.0, 9.0, 2.0])))
