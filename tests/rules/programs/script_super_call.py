import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x):
        return x + 1


class Child(Base):
    def forward(self, x):
        return super().forward(x) * 2


if __name__ == "__main__":
    captured = torch.jit.script(Child())
