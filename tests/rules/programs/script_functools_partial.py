import functools

import torch

add2 = functools.partial(torch.add, other=2)


def fn(x: torch.Tensor):
    return add2(x)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
