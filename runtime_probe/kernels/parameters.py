"""Names of arguments that reach a program through a function of torch's, which calls them `args[0]`: that of
`torch.no_grad()` around a function, or the one that `torch.compile` puts around it."""

from __future__ import annotations

import inspect
import os
import re
from typing import Any, Dict, List

import torch

_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_PASSED = re.compile(r"args\[(\d+)\](.*)|kwargs\[['\"](\w+)['\"]\](.*)", re.S)


class Parameters:
    """Of the function that a frame of torch's passes its arguments on to; of any other frame, none."""

    def __init__(self, frame: Any) -> None:
        """`frame`: TorchDynamo's translator of the outermost frame of a graph."""
        self._names: List[str] = []
        self._passing = str(getattr(getattr(frame, "f_code", None), "co_filename", "")).startswith(_TORCH)
        known: Dict[str, Any] = getattr(frame, "f_locals", {}) if self._passing else {}
        called = known.get("fn", known.get("func"))
        called = getattr(called, "forward", called) if isinstance(called, torch.nn.Module) else called
        if callable(called):
            try:
                found = inspect.signature(called).parameters.values()
            except (TypeError, ValueError):  # a builtin
                return
            fixed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            self._names = [parameter.name for parameter in found if parameter.kind in fixed]

    def readable(self, name: str) -> str:
        """`args[2][0]` as the program would write it, where that is known: `first[0]`."""
        match = _PASSED.fullmatch(name) if self._passing else None
        if match is None:
            return name
        if match[1] is None:
            return f"{match[3]}{match[4]}"
        index = int(match[1])
        return f"{self._names[index]}{match[2]}" if index < len(self._names) else name
