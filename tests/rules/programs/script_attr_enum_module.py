import torch
from torch import nn


class Opt:
    def __init__(self):
        self.k = 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.opt = Opt()

    def forward(self, x):
        return x * self.opt.k


if __name__ == "__main__":
    captured = torch.jit.script(Net())
