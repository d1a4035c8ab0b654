import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnns = nn.ModuleList([nn.RNN(4, 4, batch_first=True) for _ in range(2)])

    def forward(self, x):
        for r in self.rnns:
            x, _ = r(x)
        return x


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(2, 3, 4))
