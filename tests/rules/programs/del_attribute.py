import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        self.tmp = 2
        y = x * self.tmp
        del self.tmp
        return y


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
