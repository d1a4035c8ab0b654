from typing import Optional

import torch


def fn(x: torch.Tensor, bias: Optional[torch.Tensor] = None):
    if bias is None:
        return x
    return x + bias


if __name__ == "__main__":
    captured = torch.jit.script(fn)
