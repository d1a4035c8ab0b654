import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keep", torch.tensor([True, False, True, True]))

    def forward(self, x):
        return x[self.keep] * 2


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(4))
