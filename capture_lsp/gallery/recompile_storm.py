"""A recompile storm

The number of steps is a Python number, and the loop over it is unrolled: each graph is right for one number only.
Called with ever new numbers, torch.compile compiles ever again, and gives up after eight: from then on the function
runs eagerly. torch.export holds the number of its example and refuses another; torch.jit.script keeps the loop itself.
"""

import torch
from torch import Tensor


# capture: inputs(torch.tensor([0.0, 1.0, 0.0, 0.0]), 2)
def diffused(x: Tensor, steps: int) -> Tensor:
    """Heat that spreads around a ring, step by step; the whole of it is one."""
    x = x / x.sum()
    for _ in range(steps):
        x = x / 2 + (x.roll(1) + x.roll(-1)) / 4
    return x


if __name__ == "__main__":
    compiled = torch.compile(diffused, backend="eager")
    for steps in range(1, 12):
        print(steps, compiled(torch.tensor([0.0, 1.0, 0.0, 0.0]), steps))
