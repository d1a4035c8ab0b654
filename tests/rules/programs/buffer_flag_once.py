import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            self.ready.fill_(True)
            return x * 2
        return x + 1


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
