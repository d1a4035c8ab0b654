import dataclasses

import torch


@dataclasses.dataclass
class Out:
    y: torch.Tensor


def fn(x):
    return Out(x + 1)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
