import bisect

import torch

EDGES = [1, 3, 5]


def fn(x, v):
    return x + bisect.bisect_left(EDGES, v)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), 4)
