"""What differs between releases of torch: where Dynamo can be listened to, and how much is heard there.

Every hook is looked up by name and wrapped if it is there; one that is missing costs what it would have told, never the
program. Read in the sources of 2.6 to 2.15: `log_graph_break` is a function of the module up to 2.9 and a method of the
translator since 2.10; the exception is passed to it since 2.11; positions of instructions reach the stacks since 2.13.
"""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, Dict, List, Tuple

import torch

VERSION: Tuple[int, int] = tuple(int(n) for n in re.findall(r"\d+", torch.__version__)[:2])  # type: ignore[assignment]

#: The first release of which all is told, and the first of which at least the lines of breaks are.
FULL, LINES = (2, 13), (2, 8)

_MISSING = "{} is not there in torch {}"


def tier(blind: List[str]) -> str:
    """The support of this torch, given what the self-test could not see."""
    if blind or VERSION < LINES:
        return "best effort"
    return "full" if VERSION >= FULL else "lines"


def skip_statistics() -> None:
    """Spare what Dynamo does for its statistics alone, in this process: it flushes the processor's caches
    after every compilation to time the guards (some 50 ms)."""
    from torch._dynamo import guards

    if hasattr(guards, "profile_guard_manager"):
        guards.profile_guard_manager = lambda *_: 0.0


class Hooks:
    """Wraps functions of Dynamo for this process. `missing` names what could not be wrapped."""

    def __init__(self) -> None:
        self.missing: List[str] = []
        self._undo: List[Callable[[], None]] = []

    def wrap(self, owner: Any, name: str, around: Callable[..., Any]) -> bool:
        """Replace `owner.name` by a function that calls `around(real, *args, **kwargs)`."""
        real = getattr(owner, name, None)
        if real is None:
            self.missing.append(_MISSING.format(name, torch.__version__))
            return False

        @functools.wraps(real)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return around(real, *args, **kwargs)

        setattr(owner, name, wrapped)
        self._undo.append(functools.partial(setattr, owner, name, real))
        return True

    def undo(self) -> None:
        """Put the real functions back."""
        while self._undo:
            self._undo.pop()()

    def on_break(self, told: Callable[[Any, str, Any, Any], None]) -> None:
        """`told(translator or None, reason, exception or None, user stack or None)` at every break that is logged."""
        from torch._dynamo import symbolic_convert

        def around_method(real: Any, tx: Any, code_options: Any, reason: str = "", *rest: Any, **named: Any) -> Any:
            given = {**dict(zip(("exc", "user_stack"), rest)), **named}
            error = given.get("exc")
            if not isinstance(error, BaseException):  # 2.10 passes the stack only
                error, given["user_stack"] = _current_error(), given.get("user_stack") or given.get("exc")
            if not getattr(error, "logged", False):
                told(tx, reason, error, given.get("user_stack"))
            return real(tx, code_options, reason, *rest, **named)

        def around_function(
            real: Any, code_options: Any, reason: str = "", exc_info: Any = False, user_stack: Any = None, **named: Any
        ) -> Any:
            told(None, reason, _current_error(), user_stack)
            return real(code_options, reason, exc_info=exc_info, user_stack=user_stack, **named)

        translator = symbolic_convert.InstructionTranslatorBase
        if hasattr(translator, "log_graph_break"):
            self.wrap(translator, "log_graph_break", around_method)
        else:
            self.wrap(symbolic_convert, "log_graph_break", around_function)

    def on_step(self, told: Callable[[Any], None]) -> None:
        """`told(translator)` before each instruction is evaluated; the instruction is at `instruction_pointer`."""
        from torch._dynamo import symbolic_convert

        owner = symbolic_convert.InstructionTranslatorBase
        real = getattr(owner, "step", None)
        if real is None:
            self.missing.append(_MISSING.format("step", torch.__version__))
            return

        def step(tx: Any) -> Any:
            told(tx)
            return real(tx)

        owner.step = step  # type: ignore[method-assign, assignment]
        self._undo.append(functools.partial(setattr, owner, "step", real))

    def on_skip(self, told: Callable[[str, Any], None]) -> None:
        """`told(reason, frame)` when a frame is left to eager Python as a whole."""
        from torch._dynamo import convert_frame

        def around(real: Any, reason: str, frame: Any) -> Any:
            told(reason, frame.f_code)
            return real(reason, frame)

        self.wrap(convert_frame, "add_skip_reason", around)

    def around_compile(self, around: Callable[..., Any]) -> None:
        """`around(real, code, *args, **kwargs)` where Dynamo compiles one frame."""
        from torch._dynamo import convert_frame

        self.wrap(convert_frame, "_compile", around)

    def on_graph(self, around: Callable[..., Any]) -> None:
        """`around(real, output graph, graph module, ...)` where a graph goes to its backend."""
        from torch._dynamo import output_graph

        self.wrap(output_graph.OutputGraph, "call_user_compiler", around)


def compile_id() -> str:
    """The id of the frame that is being compiled, `frame/recompile`, or "" outside of any."""
    current = getattr(torch._guards.CompileContext, "current_compile_id", lambda: None)()
    return "" if current is None else str(current)


def guard_hooks(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    """The `Hooks` among the arguments of `_compile`; its place differs between releases."""
    from torch._dynamo.hooks import Hooks as DynamoHooks

    return next((a for a in (*args, *kwargs.values()) if isinstance(a, DynamoHooks)), None)


def _current_error() -> Any:
    import sys

    return sys.exc_info()[1]


__all__ = ["FULL", "LINES", "VERSION", "Hooks", "compile_id", "guard_hooks", "tier"]
