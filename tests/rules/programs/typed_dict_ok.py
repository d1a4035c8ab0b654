from typing import TypedDict, cast

import torch


class Out(TypedDict):
    y: torch.Tensor


def fn(x):
    out: Out = {"y": x * 2}
    return cast(torch.Tensor, out["y"]) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
