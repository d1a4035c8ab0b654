import torch
from torch import nn


class Solver:
    table = torch.ones(2)

    def __init__(self, x):
        self.table = self.table.to(x.dtype)
        self.limit = torch.as_tensor(4.0)

    def bounded(self, steps):
        while steps < self.limit:
            steps += 1
        return steps


class Fast(Solver):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = Fast(torch.ones(1))
        self.solver = Solver(torch.ones(1))

    def forward(self, x):
        return x * self.fast.table.sum() + self.solver.bounded(0)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
