import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.jit.trace(nn.Linear(3, 3), torch.ones(2, 3))

    def forward(self, x):
        return self.inner(x).relu()


if __name__ == "__main__":
    captured = torch.compile(Mixed())
    captured(torch.randn(2, 3))
