import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def forward(self, x):
        n = x.shape[0]
        if n not in self.cache:
            self.cache[n] = torch.arange(n)
        return x + self.cache[n]


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
