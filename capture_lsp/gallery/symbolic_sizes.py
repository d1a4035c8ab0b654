"""Sizes that stay symbols

Nothing here makes a Python number of a size: positions come from `x.shape`, which a trace records as an operation and
torch.compile knows as a symbol. A trace follows every length. torch.compile compiles twice, once for the first length
and once for all others. torch.export with its default settings fixes the sizes of the example, says so, and refuses
others, unless `dynamic_shapes` names them.
"""

import torch
from torch import Tensor


# capture: inputs(torch.arange(24.0).reshape(2, 4, 3))
def with_positions(x: Tensor) -> Tensor:
    """(batch, time, width) with a wave over time added."""
    time = torch.arange(x.shape[1], dtype=x.dtype, device=x.device)
    return x + (time / x.shape[1]).sin().unsqueeze(-1)


if __name__ == "__main__":
    traced = torch.jit.trace(with_positions, torch.ones(2, 4, 3))
    print((traced(torch.ones(2, 9, 3)) == with_positions(torch.ones(2, 9, 3))).all())
