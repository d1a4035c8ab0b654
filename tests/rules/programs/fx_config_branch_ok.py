import torch
import torch.fx
from torch import nn


class Net(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        for _ in range(2 if self.deep else 1):
            x = self.fc(x)
        return x


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(Net(True))
