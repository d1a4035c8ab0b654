import itertools

import torch


def fn(x: torch.Tensor):
    for i in itertools.chain([1], [2]):
        x = x + i
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
