from typing import Optional

import torch


def fn(x: torch.Tensor, k: Optional[int]):
    return x * k


if __name__ == "__main__":
    captured = torch.jit.script(fn)
