import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

    def forward(self, x):
        for name, m in self.body.named_children():
            x = m(x)
        return x + sum(p.sum() for p in self.parameters())


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3))
