"""A loop over the batch

Iterating over a tensor unrolls the loop: the graph has one copy of the body for each row, and the number of rows is a
constant of the capture. A trace made with four rows raises an error with any other number. torch.compile guards on the
number, and compiles again for each new one until its limit. Written for the whole batch at once, as
`x / x.norm(dim=-1, keepdim=True)`, there is no loop and no constant.
"""

import torch
from torch import Tensor


# capture: inputs(torch.arange(1.0, 13.0).reshape(4, 3))
def unit_rows(x: Tensor) -> Tensor:
    """Every row divided by its length."""
    rows = []
    for row in x:
        rows.append(row / row.norm())
    return torch.stack(rows)


if __name__ == "__main__":
    compiled = torch.compile(unit_rows, backend="eager")
    for number in range(1, 12):
        print(number, compiled(torch.ones(number, 3)).shape)
