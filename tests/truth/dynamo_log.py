"""What TorchDynamo did, heard while it happens: graph breaks, skipped frames, recompiles.

`torch._dynamo.explain` and the counters miss data-dependent jumps and skipped frames on torch 2.13, so this listens to
the structured trace and wraps the two functions through which every break and every skip passes. A break's ids are read
from the chain of exceptions: one says what Dynamo met, another why it could not go on there (a loop, a `with`).
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from typing import Any

import torch
import torch._dynamo.convert_frame as convert_frame
import torch._dynamo.eval_frame as eval_frame
import torch._dynamo.symbolic_convert as symbolic_convert
from torch._logging._internal import set_logs, trace_log

from runtime_probe.subject import same_file

_ID = re.compile(r"/gb(\d+)\.html", re.IGNORECASE)
_AT = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
#: Reasons to leave a frame alone that lose no graph: nothing to capture in it, or it is not the program's.
_HARMLESS = (
    "no tensor-related objects",
    "No ops traced",
    "skipfiles",
    "already started",
    "is disabled",
    "namedtuple",
    "exec()",
)


@dataclass
class Break:
    """One graph break. `skips`: "" (resumed after it), "function" (all of its frame runs eagerly) or "rest" of it."""

    lines: list[int]
    function: str
    ids: list[str]
    reason: str
    skips: str = ""


@dataclass
class Log:
    """Everything heard during the calls of one program."""

    breaks: list[Break] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    recompiles: list[dict[str, Any]] = field(default_factory=list)
    graphs: int = 0
    limit: bool = False


def ids_of(error: BaseException | None) -> list[str]:
    """Registry ids on an exception and its causes, outermost first."""
    found: list[str] = []
    while error is not None:
        for digits in _ID.findall(str(error)):
            if f"GB{digits}" not in found:
                found.append(f"GB{digits}")
        error = error.__cause__
    return found


class Listener(logging.Handler):
    """Install once in a process that judges one program; `log` fills while Dynamo works."""

    def __init__(self, path: str) -> None:
        super().__init__(logging.DEBUG)
        self.path = path
        self.log = Log()

    def install(self) -> Log:
        set_logs(graph_breaks=True)  # breaks found outside the translator are traced only then
        trace_log.addHandler(self)
        trace_log.setLevel(logging.DEBUG)
        trace_log.propagate = False
        self._wrap_breaks()
        self._wrap_skips()
        return self.log

    def emit(self, record: logging.LogRecord) -> None:
        metadata = getattr(record, "metadata", None)
        if not isinstance(metadata, dict):
            return
        payload = getattr(record, "payload", None)
        if "dynamo_output_graph" in metadata:
            self.log.graphs += 1
        name = metadata.get("artifact", {}).get("name")
        if name == "recompile_reasons":
            self.log.recompiles.append({"frame": metadata.get("frame_id"), "reason": str(payload)[:400]})
        elif name == "dynamo_graph_break_reason" and not str(payload).startswith("Graph break in user code"):
            self._outside(str(payload))

    def _outside(self, text: str) -> None:
        """A break that no translator reported: Dynamo gave up on the frame before or after translating it."""
        ids = list(dict.fromkeys(f"GB{digits}" for digits in _ID.findall(text)))
        if "recompile limit" in text or "recompile_limit" in text:
            self.log.limit = True
            return
        places = [(int(n), f) for path, n, f in _AT.findall(text.split("Traceback")[0]) if self._mine(path)]
        lines = [n for n, _ in places][::-1]
        self.log.breaks.append(Break(lines, places[-1][1] if places else "", ids, text[:300], "function"))

    def _mine(self, path: str) -> bool:
        return same_file(path, self.path)

    def _wrap_breaks(self) -> None:
        real, listener = symbolic_convert.InstructionTranslatorBase.log_graph_break, self

        def log_graph_break(
            tx: Any, code_options: Any, reason: str = "", exc: Any = None, *rest: Any, **named: Any
        ) -> Any:
            if not getattr(exc, "logged", False):
                listener._heard(tx, reason, exc)
            return real(tx, code_options, reason, exc, *rest, **named)

        symbolic_convert.InstructionTranslatorBase.log_graph_break = log_graph_break  # type: ignore[method-assign, assignment]

    def _heard(self, tx: Any, reason: str, exc: Any) -> None:
        stack = list(getattr(exc, "real_stack", None) or torch._guards.TracingContext.extract_stack())
        lines = [f.lineno for f in reversed(stack) if self._mine(f.filename)]
        if not lines and self._mine(tx.f_code.co_filename):
            lines = [tx.lineno or tx.f_code.co_firstlineno]
        skips = ""
        if reason.startswith("Failed to handle graph break gracefully"):
            skips = "function"
        elif reason.startswith("Encountered graph break that we cannot resume from"):
            skips = "rest"
        if skips == "function" and tx.f_code.co_name.startswith("torch_dynamo_resume_in_"):
            skips = "rest"
        text = " ".join(str(getattr(exc, "msg", None) or exc).split())
        self.log.breaks.append(Break(lines, tx.f_code.co_name, ids_of(exc), text[:300], skips))

    def _wrap_skips(self) -> None:
        real, listener = eval_frame.add_skip_reason, self

        def add_skip_reason(reason: str, frame: Any) -> None:
            code = frame.f_code
            if listener._mine(code.co_filename):
                harmless = any(word in reason for word in _HARMLESS)
                listener.log.skipped.append(
                    {
                        "function": code.co_name,
                        "line": code.co_firstlineno,
                        "reason": reason[:200],
                        "harmless": harmless,
                    }
                )
            real(reason, frame)

        convert_frame.add_skip_reason = add_skip_reason  # type: ignore[attr-defined]
