import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ls = nn.ModuleDict({"a": nn.Linear(3, 3)})

    def forward(self, x):
        for k, m in self.ls.items():
            x = m(x)
        return x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
