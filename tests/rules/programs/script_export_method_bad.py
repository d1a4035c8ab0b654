import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x + 1

    @torch.jit.export
    def infer(self, x, *rest):
        return x * 2


if __name__ == "__main__":
    captured = torch.jit.script(Net())
