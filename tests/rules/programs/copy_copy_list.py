import copy

import torch

BASE = [1.0, 2.0]


def fn(x):
    w = copy.copy(BASE)
    w.append(3.0)
    return x * sum(w)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
