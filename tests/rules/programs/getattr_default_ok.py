import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        k = getattr(self, "gain", 2)
        if hasattr(self, "bias"):
            x = x + self.bias
        return x * k


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
