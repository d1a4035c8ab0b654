import os

import torch


def fn(x):
    if torch.jit.is_tracing():
        os._exit(3)
    return x + 1
