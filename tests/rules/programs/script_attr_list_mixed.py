import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.opts = [1, "a"]

    def forward(self, x):
        return x * len(self.opts)


if __name__ == "__main__":
    captured = torch.jit.script(Net())
