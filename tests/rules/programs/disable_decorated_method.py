import torch
from torch import nn


class Net(nn.Module):
    @torch.compiler.disable
    def note(self, x):
        return x.mean()

    def forward(self, x):
        m = self.note(x)
        return x - m


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
