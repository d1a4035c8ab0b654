from typing import List

import torch


def fn(xs: List[torch.Tensor]):
    xs = sorted(xs, key=lambda t: t.size(0))
    return xs[0]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
