import math

import torch
import torch.fx


def fn(x):
    return x * math.sqrt(x.shape[0] if x.dim() else 4)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
