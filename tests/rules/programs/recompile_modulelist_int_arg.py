import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(5)])

    def forward(self, x, idx):
        return self.layers[idx](x)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3), 0)
