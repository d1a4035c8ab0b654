import dataclasses

import torch


@dataclasses.dataclass
class Batch:
    x: torch.Tensor
    k: int = 1


def fn(b):
    d = dataclasses.asdict(b)
    return d["x"] * d["k"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(Batch(torch.ones(3)))
