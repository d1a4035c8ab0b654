import statistics

import torch


def fn(x):
    return x * statistics.mean([1, 2, 3])


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
