import contextlib

import torch


def fn(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
