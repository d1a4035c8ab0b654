import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(4, 3, max_norm=1.0)

    def forward(self, i):
        return self.e(i)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.tensor([0, 1]))
