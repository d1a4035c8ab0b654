import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None

    def forward(self, x):
        if self.bias is not None:
            x = x + self.bias
        return x * 2


if __name__ == "__main__":
    captured = torch.jit.script(Net())
