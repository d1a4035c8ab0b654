import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mode):
        if mode == "a":
            return x + 1
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
