from typing import Dict

import torch


def fn(x: torch.Tensor):
    d: Dict[str, int] = {"a": 1}
    return x * d.get("b", 2)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
