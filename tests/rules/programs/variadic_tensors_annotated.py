import torch
from torch import Tensor


def first_positive(*values: Tensor, **named: Tensor):
    for value in values:
        if value.sum() > 0:
            return value
    assert values, "nothing given"
    if named["last"] > 0:
        return named["last"]
    return values[0]


def fn(x):
    return first_positive(*list(x.split(1)), last=x.max())


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(-torch.ones(3))
