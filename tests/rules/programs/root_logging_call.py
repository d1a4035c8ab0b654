import logging

import torch


def fn(x):
    logging.warning("big input %d", x.shape[0])
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
