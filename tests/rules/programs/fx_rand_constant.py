import random

import torch
import torch.fx


def fn(x):
    p = random.random()
    return x * p


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
