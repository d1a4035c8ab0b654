import functools

import torch


@functools.lru_cache(maxsize=None)
def table(n):
    return list(range(n))


def fn(x):
    return x + len(table(4))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4))
