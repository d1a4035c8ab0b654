import textwrap

import torch


def fn(x):
    return x + len(textwrap.shorten("hello world", 8))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
