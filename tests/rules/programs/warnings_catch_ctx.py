import warnings

import torch


def fn(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = x * 2
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
