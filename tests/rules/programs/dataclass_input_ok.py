import dataclasses

import torch


@dataclasses.dataclass
class Batch:
    x: torch.Tensor
    k: int = 1


def fn(b):
    out = dataclasses.replace(b, x=b.x * b.k)
    return out.x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(Batch(torch.ones(3), 2))
