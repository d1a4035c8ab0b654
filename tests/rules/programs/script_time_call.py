import time

import torch


def fn(x: torch.Tensor):
    t = time.time()
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
