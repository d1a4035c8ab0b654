import numpy as np
import torch


def fn(x: np.ndarray):
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
