import torch
from torch import nn


class Crf(nn.Module):
    def __init__(self, batch_first: bool = False):
        super().__init__()
        self.batch_first = batch_first

    def forward(self, x):
        mask = x > 0
        whole = not self.batch_first and mask[0].all()
        if not whole:
            raise ValueError("a sequence is empty")
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(Crf())
    captured(torch.ones(2, 3))
