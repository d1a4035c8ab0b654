"""Nested values: lists, tuples, dicts and dataclasses around tensors and numbers."""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch

#: How a part is reached from the whole, as Python writes it: `[0].mask`.
Path = str
DEEPEST = 8


def leaves(value: Any, path: Path = "", depth: int = 0) -> Iterator[Tuple[Path, Any]]:
    """Everything inside that is no container, with its path."""
    parts = _parts(value) if depth <= DEEPEST else None
    if parts is None:
        yield path, value
        return
    for step, part in parts:
        yield from leaves(part, path + step, depth + 1)


def tensors(value: Any) -> List[Tuple[Path, torch.Tensor]]:
    """The tensors among the leaves."""
    return [(path, leaf) for path, leaf in leaves(value) if isinstance(leaf, torch.Tensor)]


def replaced(value: Any, change: Callable[[Path, Any], Any]) -> Any:
    """The same structure with every leaf put through `change`; an object that stands twice inside stays one."""
    done: Dict[int, Any] = {}

    def walk(part: Any, path: Path, depth: int) -> Any:
        if id(part) in done:
            return done[id(part)]
        parts = _parts(part) if depth <= DEEPEST else None
        if parts is None:
            result = change(path, part)
        else:
            result = _rebuilt(part, [walk(inner, path + step, depth + 1) for step, inner in parts])
        if isinstance(part, torch.Tensor) or parts is not None:
            done[id(part)] = result
        return result

    return walk(value, "", 0)


def _parts(value: Any) -> Optional[List[Tuple[str, Any]]]:
    """The parts of a container in its order, None for anything else."""
    if isinstance(value, Mapping):
        return [(f"[{key!r}]", inner) for key, inner in value.items()]
    if isinstance(value, (list, tuple, deque)):
        return [(f"[{number}]", inner) for number, inner in enumerate(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [("." + f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if hasattr(value, f.name)]
    return None


def _rebuilt(value: Any, parts: List[Any]) -> Any:
    if isinstance(value, tuple):
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    made: Any = copy.copy(value)
    if isinstance(value, (Mapping, list, deque)):
        for key, inner in zip(value if isinstance(value, Mapping) else range(len(parts)), parts):
            made[key] = inner
        return made
    names = [f.name for f in dataclasses.fields(value) if hasattr(value, f.name)]
    for name, inner in zip(names, parts):
        object.__setattr__(made, name, inner)
    return made
