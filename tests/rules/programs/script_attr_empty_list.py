import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append(x)
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
