import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mha = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, x):
        y, w = self.mha(x, x, x, need_weights=False)
        return y


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(2, 3, 4))
