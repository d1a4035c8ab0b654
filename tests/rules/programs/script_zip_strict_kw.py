from typing import List

import torch


def fn(xs: List[torch.Tensor]):
    out = torch.zeros(3)
    for a, b in zip(xs, xs, strict=True):
        out = out + a * b
    return out


if __name__ == "__main__":
    captured = torch.jit.script(fn)
