import torch
from torch import nn


class Net(nn.Module):
    def validate(self, x):
        if (x < 0).any():
            raise ValueError("negative input")

    def forward(self, x):
        self.validate(x)
        return x.sqrt()


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
