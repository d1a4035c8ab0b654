from typing import List

import torch


def fn(xs: List[torch.Tensor]):
    out = torch.zeros(3)
    for i, a in enumerate(xs, 1):
        out = out + a * i
    return out


if __name__ == "__main__":
    captured = torch.jit.script(fn)
