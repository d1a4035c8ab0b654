import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3)])
        self.b = nn.ModuleList([nn.ReLU()])

    def forward(self, x):
        for p, q in zip(self.a, self.b):
            x = q(p(x))
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
