import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 6)

    def forward(self, x):
        h = x.new_zeros(x.shape[1], 6)
        for t in range(3):
            h = self.cell(x[t], h)
        return h


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(3, 2, 4))
