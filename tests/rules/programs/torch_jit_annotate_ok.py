from typing import List

import torch


def fn(x: torch.Tensor):
    xs = torch.jit.annotate(List[torch.Tensor], [])
    xs.append(x)
    return torch.stack(xs)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
