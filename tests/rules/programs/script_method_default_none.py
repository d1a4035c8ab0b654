from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        x = x * 2
        return x.masked_fill(mask, 0.0) if mask is not None else x


if __name__ == "__main__":
    captured = torch.jit.script(Net())
