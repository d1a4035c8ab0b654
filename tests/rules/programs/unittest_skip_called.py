import unittest

import torch


def fn(x):
    unittest.skip("no")
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
