from types import SimpleNamespace

import torch


def fn(x):
    ns = SimpleNamespace(k=2)
    return x * ns.k


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
