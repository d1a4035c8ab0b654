import time

import torch


def fn(x):
    y = x.sin()
    time.sleep(0.0)
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
