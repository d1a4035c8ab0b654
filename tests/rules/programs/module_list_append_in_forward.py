import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()

    def forward(self, x):
        if len(self.layers) == 0:
            self.layers.append(nn.Linear(3, 3))
        return self.layers[0](x)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3))
