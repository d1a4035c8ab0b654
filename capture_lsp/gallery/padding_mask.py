"""The padding mask of a full batch

Most batches have no padding, so the function takes a short way for them. An example input is often such a batch: traced
with it, the masked mean is not in the graph at all, and each padded batch is averaged with its padding. Computing the
masked mean in every case has no branch, and is right under every frontend.
"""

import torch
from torch import Tensor


# capture: inputs(torch.arange(24.0).reshape(2, 4, 3), torch.ones(2, 4, dtype=torch.bool))
def mean_of_tokens(tokens: Tensor, mask: Tensor) -> Tensor:
    """The mean over the tokens that are no padding: (batch, length, width) to (batch, width)."""
    if mask.all():
        return tokens.mean(dim=1)
    kept = mask.unsqueeze(-1).to(tokens.dtype)
    return (tokens * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


if __name__ == "__main__":
    tokens = torch.arange(24.0).reshape(2, 4, 3)
    full = torch.ones(2, 4, dtype=torch.bool)
    padded = torch.tensor([[True, True, False, False], [True, True, True, True]])
    traced = torch.jit.trace(mean_of_tokens, (tokens, full))
    print("eager ", mean_of_tokens(tokens, padded))
    print("traced", traced(tokens, padded))
