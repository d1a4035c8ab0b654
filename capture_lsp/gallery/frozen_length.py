"""A frozen length

`int(...)` makes a Python number of a size, and a trace has only tensors: the number becomes a constant. Sequences of
another length are then divided by the length of the example, and the mean is wrong by a factor. torch.compile and
torch.export know sizes as symbols: the first compiles once more with a symbol, the second checks the size and refuses.
"""

import torch
from torch import Tensor


# capture: inputs(torch.arange(24.0).reshape(2, 4, 3))
def mean_over_time(x: Tensor) -> Tensor:
    """(batch, time, width) to (batch, width)."""
    length = int(x.shape[1])
    return x.sum(dim=1) / length


if __name__ == "__main__":
    traced = torch.jit.trace(mean_over_time, torch.ones(2, 4, 3))
    print("eager ", mean_over_time(torch.ones(2, 8, 3)))
    print("traced", traced(torch.ones(2, 8, 3)))
