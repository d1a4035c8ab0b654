import torch
from torch import nn


class Stage(nn.Module):
    def __init__(self, name, verbose=False):
        super().__init__()
        self.name, self.verbose = name, verbose

    def forward(self, x):
        if self.verbose:
            print(self.name, x.shape)
        return x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Stage("a")
        self.b = Stage("b", verbose=True)

    def forward(self, x):
        return self.b(self.a(x))


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
