import contextvars

import torch

LEVEL = contextvars.ContextVar("level", default=2)


def fn(x):
    return x * LEVEL.get()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
