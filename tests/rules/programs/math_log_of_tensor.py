import math

import torch


def fn(x):
    return x * math.log(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(2.0))
