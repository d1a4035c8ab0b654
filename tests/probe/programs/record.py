from dataclasses import dataclass

import torch


@dataclass
class Batch:
    values: torch.Tensor
    mask: torch.Tensor


def fn(batch):
    return batch.values.masked_fill(batch.mask, 0.0).sum(-1)
