"""Small programs that the simulator is tried on. Lines are asserted: add new ones at the end."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn


def branch(x: Tensor) -> Tensor:
    if x.sum() > 0:
        return x * 2
    return x - 1


def early_exit(x: Tensor, most: int = 4) -> Tensor:
    for step in range(most):
        x = x * 0.5
        if not x.abs().max() > 1.0:
            return x + step
    return x


def per_row(x: Tensor) -> Tensor:
    rows = []
    for row in x:
        rows.append(row * 2 if row.mean() > 0 else -row)
    return torch.stack(rows)


def threshold(x: Tensor, limit: float = 2.0) -> Tensor:
    highest = x.max().item()
    if highest > limit:
        x = x.clamp(max=limit)
    return x / 2


def sizes(x: Tensor) -> Tensor:
    return x.sum(0) / len(x)


class Drops(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        y = self.drop(self.lin(x))
        if self.training:
            y = y * 2
        return y


def both_branches(x: Tensor) -> Tensor:
    def up(t: Tensor) -> Tensor:
        return t * 2

    def down(t: Tensor) -> Tensor:
        return t - 1

    return torch.cond(x.sum() > 0, up, down, (x,))


def unrolled(x: Tensor) -> Tensor:
    total = torch.zeros(())
    for i in range(x.shape[0]):
        total = total + x[i] * (i + 1)
    return total


def checked(x: Tensor) -> Tensor:
    if (x < 0).any():
        raise ValueError("x must not be negative")
    return x.sqrt()


def prints(x: Tensor) -> Tensor:
    y = x + 1
    print("sum", float(y.sum()))
    return y * 2


class Counts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.register_buffer("total", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        self.total += x.sum()
        return x * self.calls


def masked(x: Tensor, mask: Tensor, scale: int) -> Tensor:
    y = x * scale
    if bool(mask.all()) and x.mean() > 0:
        y = y + 1
    return y.masked_fill(mask, 0.0)


def hidden_decision(x: Tensor) -> Tensor:
    def large(t: Tensor) -> bool:
        return t.pow(2).sum().item() > 100

    count = int((x > 0).sum())
    if large(x):
        return x / 10
    if count == 0:
        return x + 1
    return x


def stuck(x: Tensor) -> Tensor:
    while x.sum() < 0:
        pass
    return x


def dies(x: Tensor) -> Tensor:
    import os

    if x.sum() < 0:
        os._exit(3)
    return x


def asserts(x: Tensor) -> Tensor:
    assert x.sum() > 0
    y = x * 2
    assert y.max() < 9, "large"
    return y


def or_zero(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    @functools.wraps(function)
    def called(x: Tensor) -> Tensor:
        result = function(x)
        return result if result.sum() > 1 else result * 0

    return called


@or_zero
def decorated(x: Tensor) -> Tensor:
    return x * 2


def keeps_count(x: Tensor, count: list[int] = [0]) -> Tensor:  # noqa: B006
    count[0] += 1
    return x * count[0]


def quantized(x: Tensor) -> Tensor:
    y = x * 2 if x.sum() > 0 else x * -4
    return torch.quantize_per_tensor(y, 0.1, 0, torch.quint8)


def generates(x: Tensor) -> Iterator[Tensor]:
    return (row * 2 for row in x)


def calls_itself(x: Tensor, twice: bool = False) -> Tensor:
    inner = x.shape[0] if x.dim() > 1 else 1
    return x * inner + (1 if twice else 0)
