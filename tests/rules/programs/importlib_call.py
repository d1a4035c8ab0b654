import importlib

import torch


def fn(x):
    m = importlib.import_module("math")
    return x * m.pi


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
