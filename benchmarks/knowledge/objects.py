"""Objects that calls in the hand tables name in capitals, made afresh for every run: no call sees another's changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: torch.Tensor) -> torch.Tensor:
        return a * 2

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad * 2


@torch.library.custom_op("knowledge::half", mutates_args=())
def half(a: torch.Tensor) -> torch.Tensor:
    return a / 2


@half.register_fake
def _(a: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(a)


class Table(torch.utils.data.Dataset[torch.Tensor]):
    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.full((2,), float(index))

    def __len__(self) -> int:
        return 4


def _parameter() -> nn.Parameter:
    made = nn.Parameter(torch.ones(4))
    made.grad = torch.ones(4)
    return made


def _graded() -> nn.Module:
    made = nn.Linear(4, 4)
    made(torch.ones(4)).sum().backward()
    return made


def _adam() -> torch.optim.Optimizer:
    made = torch.optim.Adam(_graded().parameters(), lr=0.1)
    made.step()
    return made


def _averaged() -> Any:
    from torch.optim.swa_utils import AveragedModel

    return AveragedModel(nn.Linear(4, 4))


def _hooked() -> nn.Module:
    made = nn.Linear(4, 4)
    made.register_forward_hook(lambda module, given, result: result * 2)
    return made


MAKERS: dict[str, Callable[[], Any]] = {
    "LINEAR": lambda: nn.Linear(4, 4),
    "GRADED": _parameter,
    "GRADED_LINEAR": _graded,
    "HOOKED": _hooked,
    "CONV": lambda: nn.Conv2d(8, 8, 3),
    "BN": lambda: nn.BatchNorm2d(8),
    "SEQUENTIAL": lambda: nn.Sequential(nn.ReLU(), nn.Tanh()),
    "MODULES": lambda: nn.ModuleList([nn.ReLU(), nn.Tanh()]),
    "MODULE_DICT": lambda: nn.ModuleDict({"a": nn.ReLU()}),
    "PARAMETERS": lambda: nn.ParameterList([nn.Parameter(torch.ones(4))]),
    "PARAMETER_DICT": lambda: nn.ParameterDict({"a": nn.Parameter(torch.ones(4))}),
    "OPTIMIZER": lambda: torch.optim.SGD(_graded().parameters(), lr=0.1),
    "ADAM": _adam,
    "SCHEDULER": lambda: torch.optim.lr_scheduler.StepLR(torch.optim.SGD([_parameter()], lr=0.1), 1),
    "AVERAGED": _averaged,
    "DATASET": Table,
    "LOADER": lambda: torch.utils.data.DataLoader(Table(), batch_size=2),
    "PACKED": lambda: nn.utils.rnn.pack_padded_sequence(torch.ones(5, 2, 4), torch.tensor([4, 3])),
    "FUNCTION": lambda: Double,
    "CUSTOM": lambda: half,
    "RNG": lambda: np.random.default_rng(0),
    "LST": lambda: [1, 2, 3],
    "ARR": lambda: np.array([1.0, 2.0, 3.0, 4.0]),
}


def scope(text: str, module: str = "", training: bool = True) -> dict[str, Any]:
    """The globals of a probe with this source text; `module` constructs what the text calls MODULE."""
    found: dict[str, Any] = {"__name__": "__main__", "torch": torch, "np": np, "nn": nn, "F": nn.functional}
    found.update({name: make() for name, make in MAKERS.items() if name in text})
    if module:
        torch.manual_seed(0)
        found["MODULE"] = eval(module, {"nn": nn, "torch": torch}).train(training)
    return found
