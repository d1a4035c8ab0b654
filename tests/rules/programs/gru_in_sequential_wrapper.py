import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True)

    def forward(self, x):
        out, h = self.rnn(x)
        return out[:, -1]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = Encoder()

    def forward(self, x):
        return self.enc(x).relu()


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(2, 5, 4))
