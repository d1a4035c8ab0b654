import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 3)})

    def forward(self, x, name: str):
        return self.heads[name](x)


if __name__ == "__main__":
    captured = torch.jit.script(Net())
