import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def forward(self, x, use_bias: bool = True):
        if use_bias:
            return x + 1
        return x


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(Net())
