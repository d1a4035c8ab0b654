from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x):
        y = x.cos()
        self.seen += 1
        return y
