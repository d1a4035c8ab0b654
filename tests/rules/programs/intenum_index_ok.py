import enum

import torch


class Axis(enum.IntEnum):
    ROW = 0
    COL = 1


def fn(x):
    return x.sum(Axis.COL)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, 2))
