"""Lines of the user's program that an error speaks of."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Tuple

from runtime_probe.dynamo.places import is_inside
from runtime_probe.subject import same_file

#: A path and a line, 1-based.
Place = Tuple[str, int]

_SCRIPT_AT = re.compile(r'File "([^"]+)", line (\d+)')
_INNERMOST_LAST = "most recent call last"


def raised_at(error: BaseException, path: str) -> Optional[Place]:
    """The innermost line of the user's file that an error passed, from what torch attached to it, from its traceback
    or from its text; else the innermost line of a module that is neither torch's nor of the standard library."""
    found = _places(error)
    own = [place for place in found if same_file(place[0], path)]
    return own[0] if own else (found[0] if found else None)


def _places(error: BaseException) -> List[Place]:
    """All that is known, innermost first."""
    found: List[Place] = []
    seen: Optional[BaseException] = error
    while seen is not None:
        stack = list(getattr(seen, "real_stack", None) or ())
        found += [(f.filename, f.lineno or 1) for f in reversed(stack) if is_inside(f.filename)]
        if type(seen) is RuntimeError or "torch.jit" in type(seen).__module__:
            found += in_script(str(seen))
        found += _traceback(seen)
        seen = seen.__cause__ or seen.__context__
    return found


def _traceback(error: BaseException) -> List[Place]:
    found: List[Place] = []
    step: Any = error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        if is_inside(name):
            found.append((name, step.tb_lineno))
        step = step.tb_next
    return found[::-1]


def in_script(text: str) -> List[Place]:
    """The lines that a message of TorchScript names, innermost first."""
    found = [(path, int(line)) for path, line in _SCRIPT_AT.findall(text) if is_inside(path)]
    return found[::-1] if _INNERMOST_LAST in text else found
