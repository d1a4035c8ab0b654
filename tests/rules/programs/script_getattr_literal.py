import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    def forward(self, x):
        if hasattr(self, "k"):
            return x * getattr(self, "k")
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
