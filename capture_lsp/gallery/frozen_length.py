"""A frozen length

`int(...)` makes a Python number of a size, and a trace has only tensors: the number becomes a constant. Sequences of
another length are then divided by the length of the example, and the mean is wrong by a factor. torch.compile knows
sizes as symbols and compiles once more, for any length. torch.export fixes the length of the example, checks it, and
refuses others.
"""

import torch
from torch import Tensor


# capture: inputs(torch.arange(12.0).reshape(4, 3))
def mean_over_time(x: Tensor) -> Tensor:
    """(time, width) to (width,)."""
    length = int(x.shape[0])
    return x.sum(dim=0) / length


if __name__ == "__main__":
    traced = torch.jit.trace(mean_over_time, torch.ones(4, 3))
    print("eager ", mean_over_time(torch.ones(8, 3)))
    print("traced", traced(torch.ones(8, 3)))
