"""Where the program reads tensor data: the place of a read, seen from the frames of a running interpreter."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any, Dict, NamedTuple, Optional, Tuple

import torch

from runtime_probe.dynamo import places
from runtime_probe.subject import owner_of

_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
#: Frames that stand between a read and the program without being of interest.
_BETWEEN = (_TORCH + "_dynamo" + os.sep, _TORCH + "_compile.py", _TORCH + "utils" + os.sep + "_stats.py")
_TENSOR = _TORCH + "_tensor.py"
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
#: Methods that torch writes in Python, whose read is the program's own.
_STANDS_FOR_CALLER = ("__contains__",)
_WRAPPERS = (_TENSOR, _TORCH + "overrides.py")

#: Path, line and column: the same wherever an instruction runs, in Dynamo's bytecode or in the program's own.
Place = Tuple[str, int, int]


class Site(NamedTuple):
    """One read in the source. `part` tells apart the modules that share the code, and the elements of one list."""

    path: str
    line: int
    column: int
    part: str

    @property
    def is_element(self) -> bool:
        """Whether it is one of the elements that `tolist` gives."""
        return self.part.endswith("]")

    @property
    def place(self) -> Place:
        return self.path, self.line, self.column


def reader() -> Optional[FrameType]:
    """The program's frame that reads a tensor right now, or None if torch reads it for purposes of its own."""
    frame = _outside_dynamo(sys._getframe(1))
    if frame is not None and frame.f_code.co_filename == _TENSOR and frame.f_code.co_name in _STANDS_FOR_CALLER:
        frame = _outside_dynamo(frame.f_back)
        while frame is not None and frame.f_code.co_filename in _WRAPPERS:
            frame = _outside_dynamo(frame.f_back)
    if frame is None or not places.is_inside(frame.f_code.co_filename):
        return None
    return frame


def _outside_dynamo(frame: Optional[FrameType]) -> Optional[FrameType]:
    while frame is not None and frame.f_code.co_filename.startswith((*_BETWEEN, _OWN)):
        frame = frame.f_back
    return frame


def place_of(frame: FrameType) -> Place:
    """The place of the instruction that a frame executes; the start of its line where Python has no columns (3.10)."""
    code, line = frame.f_code, frame.f_lineno or frame.f_code.co_firstlineno
    positions = getattr(code, "co_positions", None)
    found: Any = None
    if positions is not None:
        number = frame.f_lasti // 2
        found = next((p for n, p in enumerate(positions()) if n == number), None)
    span = places.span(code.co_filename, (found[0], found[2], found[1], found[3])) if found is not None else None
    if span is None:
        span = places.whole_line(code.co_filename, line)
    return code.co_filename, span[0], span[1]


def site_of(frame: FrameType, names: Dict[int, str], element: str = "") -> Site:
    """The site of a read in `frame`; `names` are the names of modules by their identity."""
    owner = frame.f_locals.get("self")
    return Site(*place_of(frame), names.get(id(owner), "") + element)


def module_names(function: Any) -> Dict[int, str]:
    """The qualified names of the submodules of what is probed."""
    root = owner_of(function)
    if not isinstance(root, torch.nn.Module):
        return {}
    return {id(module): name for name, module in root.named_modules()}
