import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ls = nn.ModuleList([nn.Linear(3, 3), nn.ReLU()])

    def forward(self, x):
        for m in self.ls[:1]:
            x = m(x)
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
