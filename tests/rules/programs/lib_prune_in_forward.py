import torch
from torch import nn
from torch.nn.utils import prune


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        prune.l1_unstructured(self.fc, "weight", amount=1)
        return self.fc(x)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3))
