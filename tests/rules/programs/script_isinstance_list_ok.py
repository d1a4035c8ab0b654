from typing import Any, List

import torch


def fn(x: Any):
    if isinstance(x, torch.Tensor):
        return x + 1
    return torch.zeros(1)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
