import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

    def forward(self, x):
        return self.body[0](x) + self.body(x)


if __name__ == "__main__":
    captured = torch.jit.script(Net())
