import abc

import torch
from torch import nn


class Op(abc.ABC):
    @abc.abstractmethod
    def apply(self, x): ...


class Twice(Op):
    def apply(self, x):
        return x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.op = Twice()

    def forward(self, x):
        return self.op.apply(x) if isinstance(self.op, Op) else x


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
