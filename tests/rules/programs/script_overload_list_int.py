from typing import List, Optional

import torch


def fn(x: torch.Tensor, dims: Optional[List[int]] = None):
    if dims is None:
        dims = [0]
    return x.sum(dims)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
