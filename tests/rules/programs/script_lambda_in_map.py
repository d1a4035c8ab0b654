from typing import List

import torch


def fn(xs: List[torch.Tensor]):
    return list(map(lambda t: t * 2, xs))[0]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
