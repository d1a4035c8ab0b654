import torch
from torch import nn


class Pool(nn.Module):
    def forward(self, hidden, keep):
        picked = hidden[keep]
        return picked.mean(0)


if __name__ == "__main__":
    captured = torch.compile(Pool())
    captured(torch.randn(2, 3, 4), torch.ones(2, 3, dtype=torch.bool))
