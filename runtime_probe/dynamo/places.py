"""Places in the user's source: which files count, and columns in characters."""

from __future__ import annotations

import functools
import linecache
import os
import sysconfig
from typing import Any, List, Optional, Sequence, Tuple

import torch

from runtime_probe.report import Span, StackEntry

_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_STDLIB = tuple(
    os.path.abspath(path) + os.sep for path in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")} if path
)
_LAYERS = tuple(_TORCH + name + os.sep for name in ("nn", "optim", "distributions"))
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PACKAGES = ("site-packages" + os.sep, "dist-packages" + os.sep)


@functools.cache
def is_inside(path: str) -> bool:
    """Whether a file is neither of torch, nor of the standard library, nor of the probe: the user's or a package's."""
    if path.startswith("<"):
        return False
    full = os.path.abspath(path)
    if full.startswith((_TORCH, _OWN)):
        return False
    return not full.startswith(_STDLIB) or any(name in full for name in _PACKAGES)


@functools.cache
def is_packaged(path: str) -> bool:
    """Whether a file is of an installed package."""
    return any(name in os.path.abspath(path) for name in _PACKAGES)


def is_shown(path: str) -> bool:
    """Whether a frame of this file is worth showing: all but the machinery of torch itself. A module of `torch.nn` that
    is captured as a whole is shown."""
    return is_inside(path) or os.path.abspath(path).startswith(_LAYERS)


def column(path: str, line: int, offset: Optional[int]) -> int:
    """A 1-based column in characters from an offset in UTF-8 bytes; 1 where it is not known."""
    if not offset:
        return 1
    return len(linecache.getline(path, line).encode("utf-8")[:offset].decode("utf-8", "replace")) + 1


def span(path: str, position: Sequence[Any]) -> Optional[Span]:
    """A span from (line, column offset, end line, end offset); the whole line where there are no columns."""
    line, start, end_line, end = position
    if line is None:
        return None
    if start is None or end is None:
        return whole_line(path, line)
    end_line = end_line or line
    return line, column(path, line, start), end_line, column(path, end_line, end)


def of_positions(path: str, positions: Any) -> Optional[Span]:
    """The span of an instruction's `dis.Positions`."""
    return span(path, (positions.lineno, positions.col_offset, positions.end_lineno, positions.end_col_offset))


def whole_line(path: str, line: int) -> Span:
    """The span of a line's text."""
    text = linecache.getline(path, line).rstrip()
    return line, len(text) - len(text.lstrip()) + 1, line, len(text) + 1


def of_summary(frame: Any) -> Optional[Span]:
    """The span of a `traceback.FrameSummary`, by columns where it has them (torch 2.13)."""
    if frame.lineno is None:
        return None
    start, end = getattr(frame, "colno", None), getattr(frame, "end_colno", None)
    end_line = getattr(frame, "end_lineno", None) or frame.lineno
    return span(frame.filename, (frame.lineno, start, end_line, end))


_RESUME = "torch_dynamo_resume_in_"


def is_resume(name: str) -> bool:
    """Whether a function is one that Dynamo made to go on behind a break."""
    return name.rpartition(".")[2].startswith(_RESUME)


def original_name(name: str) -> str:
    """The function that a resume function continues: its own name without the prefix and the line."""
    owner, dot, last = name.rpartition(".")
    while last.startswith(_RESUME):
        last = last[len(_RESUME) :].rpartition("_at_")[0] or last[len(_RESUME) :]
    return owner + dot + last


def stack_of(frames: Sequence[Any]) -> List[StackEntry]:
    """A stack, outermost first, in the report's form."""
    return [
        {"path": f.filename, "line": f.lineno or 0, "function": original_name(f.name)}
        for f in frames
        if is_shown(f.filename)
    ]


def innermost(frames: Sequence[Any]) -> Tuple[int, Any]:
    """Index and frame of the innermost one of the user's or of a package's; (-1, None) if there is none."""
    for number in range(len(frames) - 1, -1, -1):
        if is_inside(frames[number].filename):
            return number, frames[number]
    return -1, None
