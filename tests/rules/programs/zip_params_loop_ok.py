import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.scales = [1.0, 2.0]

    def forward(self, x):
        for layer, s in zip(self.a, self.scales):
            x = layer(x) * s
        return x


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3))
