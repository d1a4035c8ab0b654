import enum

import torch


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def fn(x: torch.Tensor):
    c = Color.RED
    if c == Color.RED:
        return x + 1
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
