import logging

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = logging.getLogger("net")

    def forward(self, x):
        self.log.debug("shape %s", x.shape)
        return x + 1


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.ones(3))
