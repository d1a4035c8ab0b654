import math

import torch


def fn(x: torch.Tensor):
    return x * math.sqrt(float(x.size(0))) + math.pi


if __name__ == "__main__":
    captured = torch.jit.script(fn)
