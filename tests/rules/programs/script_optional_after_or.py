from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, a: Optional[torch.Tensor], b: Optional[torch.Tensor] = None):
        if a is None or b is None:
            return x + a
        return x + a + b


if __name__ == "__main__":
    captured = torch.jit.script(Net())
