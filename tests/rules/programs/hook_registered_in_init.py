import torch
from torch import nn


def note(module, inputs, output):
    print("shape", output.shape)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.fc.register_forward_hook(note)

    def forward(self, x):
        return self.fc(x) + 1


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(2, 3))
