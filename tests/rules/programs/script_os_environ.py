import os

import torch

DEBUG = os.environ.get("DBG", "0") == "1"


def fn(x: torch.Tensor):
    if DEBUG:
        print(x)
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
