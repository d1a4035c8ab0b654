"""What a call changes of its arguments: numbers in tensors, which can be put back, or more."""

from __future__ import annotations

import types
from typing import Any, List, Optional, Set

import torch

from runtime_probe.compare import difference, snapshot
from runtime_probe.structure import leaves


def attributes(given: Any, seen: Set[int]) -> Any:
    """What is in the attributes of objects among the arguments, as of a cache, and of objects in these."""
    torchs = (torch.Tensor, torch.nn.Module, type, types.ModuleType, types.FunctionType)
    found = []
    for _, leaf in leaves(given):
        inside = getattr(leaf, "__dict__", None) if not isinstance(leaf, torchs) else None
        if isinstance(inside, dict) and id(leaf) not in seen:
            seen.add(id(leaf))
            found.append([snapshot(inside), attributes(inside, seen)])
    return found


def parts_of(given: Any) -> Any:
    """Equal before and after a call that at most wrote numbers into tensors."""
    return [(path, _seen(leaf)) for path, leaf in leaves(given)]


def _seen(leaf: Any) -> Any:
    if isinstance(leaf, torch.Tensor):
        return id(leaf), leaf.shape, leaf.dtype, leaf.requires_grad, leaf.grad_fn
    return leaf if isinstance(leaf, (bool, int, float, complex, str, bytes)) else id(leaf)


def written(before: List[Any], after: List[torch.Tensor]) -> Optional[List[int]]:
    """The numbers of the tensors that differ from their copies of before; None if there are none, or if one cannot be
    written back."""
    numbers = [n for n, old in enumerate(before) if difference(old, snapshot(after[n]), exact=True) is not None]
    writable = all(after[n].layout is torch.strided and not after[n].is_inference() for n in numbers)
    return numbers if numbers and writable else None  # none: it is no tensor that changes
