import weakref

import torch


class Key:
    pass


K = Key()
CACHE = weakref.WeakKeyDictionary()
CACHE[K] = 2


def fn(x):
    return x * CACHE[K]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
