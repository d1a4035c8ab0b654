"""Compilations while they happen, and what checking their guards takes.

The variables of each frame are kept as Dynamo saw them; its guards are then checked on them again and again, as they
are in front of every call.
"""

from __future__ import annotations

import time
from typing import Any, List, Optional, Tuple

from runtime_probe import versions

_CHECKS = 2000
_REPEATS = 5


class Watch:
    """`with watch:` counts what Dynamo compiles; `kept` are the guards of each frame with its variables."""

    def __init__(self) -> None:
        self.compiles = 0
        self.kept: List[Tuple[Any, Any]] = []
        self._hooks = versions.Hooks()

    def __enter__(self) -> Watch:
        self._hooks.around_compile(self._around)
        return self

    def __exit__(self, *_: object) -> None:
        self._hooks.undo()

    def _around(self, real: Any, code: Any, *args: Any, **kwargs: Any) -> Any:
        self.compiles += 1
        result = real(code, *args, **kwargs)
        manager = getattr(getattr(result, "guarded_code", None), "guard_manager", None)
        variables = args[1] if len(args) > 1 else None  # behind the globals
        if manager is not None and isinstance(variables, dict):
            self.kept.append((manager, dict(variables)))
        return result


def microseconds(kept: List[Tuple[Any, Any]]) -> Optional[float]:
    """What one check of every frame's guards takes in all; None if this torch does not let them be checked, or if they
    fail on what they were made of."""
    total = 0.0
    try:
        for manager, variables in kept:
            if not manager.check(variables):
                return None
            total += min(_checks(manager, variables) for _ in range(_REPEATS))
    except Exception:
        return None
    return total * 1e6 if kept else None


def _checks(manager: Any, variables: Any) -> float:
    check = manager.check
    began = time.perf_counter()
    for _ in range(_CHECKS):
        check(variables)
    return (time.perf_counter() - began) / _CHECKS
