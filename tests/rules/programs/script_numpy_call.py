import numpy as np
import torch


def fn(x: torch.Tensor):
    return x * float(np.exp(1.0))


if __name__ == "__main__":
    captured = torch.jit.script(fn)
