import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x):
        for layer in self.layers:
            skip = False
            if self.training:
                skip = torch.rand([]) < 0.1
            if not skip:
                x = layer(x)
        return x


if __name__ == "__main__":
    captured = torch.compile(Layers().eval())
    captured(torch.ones(3))
