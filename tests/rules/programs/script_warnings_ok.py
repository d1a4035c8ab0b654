import warnings

import torch


def fn(x: torch.Tensor):
    if x.dim() > 3:
        warnings.warn("deep")
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
