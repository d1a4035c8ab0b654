from typing import List

import torch


def fn(xs: List[torch.Tensor]):
    out = torch.zeros(2)
    for i, (a, b) in enumerate(zip(xs, xs)):
        out = out + a * i + b
    return out


if __name__ == "__main__":
    captured = torch.jit.script(fn)
