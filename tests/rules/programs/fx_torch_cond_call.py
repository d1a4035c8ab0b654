import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        scale = 2.0 if x.requires_grad else 1.0
        return x * scale


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(Net())
