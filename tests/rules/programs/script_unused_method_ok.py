import torch
from torch import nn


class Net(nn.Module):
    def plot(self, **kwargs):
        return {k: v for k, v in kwargs.items() if v}

    def forward(self, x):
        return x + 1


if __name__ == "__main__":
    captured = torch.jit.script(Net())
