import random

import torch


def fn(x: torch.Tensor):
    return x * random.random()


if __name__ == "__main__":
    captured = torch.jit.script(fn)
