import torch
from torch import nn


class Solver(nn.Module):
    def __init__(self, tol=1.0):
        super().__init__()
        self.tol = tol

    def step(self, x):
        return x * 0.5

    def forward(self, x):
        err = x.abs().max()
        while err > self.tol:
            x = self.step(x)
            err = x.abs().max()
        return x


if __name__ == "__main__":
    captured = torch.compile(Solver())
    captured(torch.full((2,), 4.0))
