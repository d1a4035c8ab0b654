import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(6))

    def forward(self, x):
        torch.cat([x, x * 2], out=self.mean)
        return self.mean + 1


if __name__ == "__main__":
    captured = torch.compile(Norm())
    captured(torch.ones(3))
