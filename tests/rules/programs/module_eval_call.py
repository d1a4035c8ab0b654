import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        self.drop.eval()
        return self.drop(x) + 1


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3))
