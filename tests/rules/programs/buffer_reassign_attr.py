import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total = self.total + x
        return self.total * 2


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
