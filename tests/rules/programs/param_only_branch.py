import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        if self.gate > 0:
            return x * self.gate
        return x


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
