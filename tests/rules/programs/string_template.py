import string

import torch


def fn(x):
    t = string.Template("$a").substitute(a="xy")
    return x + len(t)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
