import torch
from torch import nn
from torch.nn.utils import parameters_to_vector

NET = nn.Linear(3, 3)


def fn(x):
    return parameters_to_vector(NET.parameters()).sum() * x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
