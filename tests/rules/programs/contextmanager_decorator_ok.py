import contextlib

import torch


@contextlib.contextmanager
def scope(flag):
    yield flag


def fn(x):
    with scope(2) as k:
        return x * k


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
