import collections

import torch

Point = collections.namedtuple("Point", ["a", "b"])


def fn(p):
    return p._replace(a=p.a + 1).a + p.b


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(Point(torch.ones(3), torch.zeros(3)))
