import re

import torch

DOT = re.compile(r"\.")


def fn(x, name):
    return x + len(DOT.sub("/", name))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), "a.b")
