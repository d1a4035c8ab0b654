import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if self.training:
            x = x + 1
        return x * 2


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(Net())
