import contextlib

import torch


@contextlib.contextmanager
def timed(name):
    yield
    print("done", name)


def fn(x):
    with timed("a"):
        y = x * 2
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
