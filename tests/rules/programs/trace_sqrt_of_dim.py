import math

import torch


def fn(q):
    return q / math.sqrt(q.size(-1))


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(2, 4),))
