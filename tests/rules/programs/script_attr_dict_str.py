import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = {"a": 1.0, "b": 2.0}

    def forward(self, x):
        return x * self.table["a"]


if __name__ == "__main__":
    captured = torch.jit.script(Net())
