import warnings

import torch


def fn(x):
    if x.isnan().any().item():
        warnings.warn("nan")
        x = torch.nan_to_num(x)
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
