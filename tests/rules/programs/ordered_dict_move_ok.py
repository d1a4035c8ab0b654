import collections

import torch


def fn(x):
    d = collections.OrderedDict(a=x, b=x * 2)
    d.move_to_end("a")
    c = collections.Counter("aab")
    return list(d.values())[0] * c["a"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
