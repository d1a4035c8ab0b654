"""Early exit

A network that stops at the first block that is sure of its answer. How deep it goes depends on the input, so a trace
keeps the depth of the input that it was made with: it runs too few blocks for hard inputs, or too many for easy ones,
and returns the answer of the wrong head. TorchDynamo cannot break its graph inside of a `for` loop: it gives the whole
function up and runs it eagerly.
"""

import torch
from torch import Tensor, nn


# capture: inputs(torch.linspace(-1, 1, 16).reshape(2, 8))
class EarlyExit(nn.Module):
    """Blocks with a classifier behind each."""

    def __init__(self, width: int = 8, classes: int = 4, depth: int = 3) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.heads = nn.ModuleList(nn.Linear(width, classes) for _ in range(depth))

    def forward(self, x: Tensor) -> Tensor:
        logits = x
        for block, head in zip(self.blocks, self.heads):
            x = block(x).relu()
            logits = head(x)
            if logits.softmax(dim=-1).max() > 0.4:
                break
        return logits


if __name__ == "__main__":
    torch.manual_seed(0)
    model = torch.compile(EarlyExit(), backend="eager")
    print(model(torch.linspace(-1, 1, 16).reshape(2, 8)))
