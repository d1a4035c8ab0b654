import torch
from torch import nn


class Net(nn.Module):
    def _log(self, name, t):
        print(name, tuple(t.shape))

    def forward(self, x):
        x = x + 1
        self._log("stage", x)
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
