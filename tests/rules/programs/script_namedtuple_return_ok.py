from typing import NamedTuple

import torch


class Out(NamedTuple):
    a: torch.Tensor
    b: torch.Tensor


def fn(x: torch.Tensor):
    return Out(x + 1, x * 2)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
