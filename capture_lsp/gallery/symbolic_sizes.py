"""Sizes that stay symbols

Nothing here makes a Python number of a size: positions come from `x.shape`, which a trace records as an operation and
torch.compile knows as a symbol. A trace follows every length. torch.compile compiles once more for all other lengths,
and once for the length 1, which it treats apart. torch.export with its default settings fixes the sizes of the example
and refuses others, unless `dynamic_shapes` names them.
"""

import torch
from torch import Tensor


# capture: inputs(torch.arange(12.0).reshape(4, 3))
def with_positions(x: Tensor) -> Tensor:
    """(time, width) with a wave over time added."""
    time = torch.arange(x.shape[0], dtype=x.dtype, device=x.device)
    return x + (time / x.shape[0]).sin().unsqueeze(-1)


if __name__ == "__main__":
    traced = torch.jit.trace(with_positions, torch.ones(4, 3))
    print((traced(torch.ones(9, 3)) == with_positions(torch.ones(9, 3))).all())
