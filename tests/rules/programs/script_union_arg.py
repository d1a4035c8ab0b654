from typing import Union

import torch


def fn(x: Union[torch.Tensor, int]):
    if isinstance(x, int):
        return torch.ones(2)
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
