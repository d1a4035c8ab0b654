import struct

import torch


def fn(x):
    return x + len(struct.pack("i", 3))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
