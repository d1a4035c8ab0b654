"""Arguments that a call writes into, put back: what makes such a call repeatable.

A program that does so, as an optimizer's step, goes on with the same tensors, and one of ours took another time with
new ones. So they are neither made anew for each call, nor are large ones put back before each: only behind a block of
calls, if they stay what such tensors are. What may decide where a program goes, as a counter, is put back before every
call.
"""

from __future__ import annotations

from typing import Callable, Optional, Sequence

import torch

from runtime_probe.structure import tensors
from runtime_probe.subject import Arguments, Memento

#: Of more numbers (a page of memory) the copying would be seen in what is timed behind it.
_SMALL = 1024


class Written:
    """Some of the arguments' tensors, by their numbers in `structure.tensors`, as they are now."""

    def __init__(self, arguments: Arguments, numbers: Sequence[int]) -> None:
        held = tensors(list(arguments))
        self._all = [held[number][1] for number in numbers]
        self._drifting = [t for t in self._all if _may_drift(t)]
        self._odd = self._how_odd()
        self._kept = Memento(self._all, None)
        rest = [t for t in self._all if not any(t is drifting for drifting in self._drifting)]
        #: Done before every call, unless all is.
        self.before_each: Optional[Callable[[], None]] = Memento(rest, None).restore if rest else None

    def put_back(self) -> None:
        """All of them."""
        self._kept.restore()

    def odd(self) -> bool:
        """Behind a block of calls: whether large tensors hold what they never would in a program."""
        return self._how_odd() > self._odd

    def _how_odd(self) -> int:
        """How many numbers are not finite, or so small that processors are slow with them."""
        return sum(_odd(t.detach()) for t in self._drifting)


def _may_drift(tensor: torch.Tensor) -> bool:
    return tensor.dtype.is_floating_point and tensor.element_size() > 1 and tensor.numel() > _SMALL


def _odd(tensor: torch.Tensor) -> int:
    size = tensor.abs()
    strange = ~torch.isfinite(size) | ((size > 0) & (size < torch.finfo(tensor.dtype).tiny))
    return int(strange.sum())
