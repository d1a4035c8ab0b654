from typing import Callable

import torch


def fn(x: torch.Tensor, act: Callable = torch.relu):
    return act(x)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
