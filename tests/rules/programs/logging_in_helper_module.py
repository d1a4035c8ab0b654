import logging

import torch

_LOG = logging.getLogger("x").getChild("y")


def report(msg, *args):
    _LOG.info(msg, *args)


def fn(x):
    report("shape %s", x.shape)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
