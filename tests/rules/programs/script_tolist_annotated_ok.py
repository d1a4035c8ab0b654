from typing import List

import torch


def fn(x: torch.Tensor):
    v: List[int] = x.tolist()
    return v[0] + v[1]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
