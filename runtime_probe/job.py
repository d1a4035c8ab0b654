"""What one probe is asked to do, and the events in which it answers while it works.

An event is a JSON object with a field `event`:

    entry       entry, inputs, synthesised: what is probed, as expressions in the file's namespace
    part        name, pid: a part begins, in this process
    done        name: it ended by itself
    failed      name, message: it ended with an error of the program or of the probe
    note        message: something to be said beside the results
    frame       key, function, path, line, compile_id: Dynamo begins to translate a frame
    break       key, break        (a report's `Break`; the fields of the following ones are the report's too)
    graph       key, graph
    guards      key, guards
    skipped     key, reason
    recompile   recompile
    symbols     symbols
    evaluated   path, spans
    traced      functions
    sizes       sizes
    loops       loops
    verdict     frontend, verdict
    perturbed   frontend, perturbed
    path        path
    timing      timing      (this and the next again and again, each time with more)
    settings    settings
    kernels     kernels, summary, cudagraphs      (again where more is known)
    kernel_errors  errors
    survey      survey      (this and the next: `runtime_probe.simulation`)
    run         number, run
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, Optional, Tuple

#: Sends one event; what was sent is kept even if the process dies right after it.
Emit = Callable[[Dict[str, Any]], None]

GIB = 1 << 30


@dataclasses.dataclass(frozen=True)
class Limits:
    """`seconds` for the whole entry, `part` for one of its parts, unless `parts` has its name; resident `memory` and
    kept `output` in bytes."""

    seconds: float = 120.0
    part: float = 60.0
    memory: int = 8 * GIB
    output: int = 1 << 16
    parts: Dict[str, float] = dataclasses.field(default_factory=dict)

    def of_part(self, name: Optional[str]) -> float:
        """The seconds that a part may take."""
        return self.parts.get(name or "", self.part)


@dataclasses.dataclass(frozen=True)
class Job:
    """One target. `entry` None: what the file itself captures when it runs as a program. `module`: the name under which
    the file is imported, with `sys_path` before everything else on `sys.path`. `parts`: see `parts.PARTS`; where
    `options["only"]` lists functions, all others that the file captures have the part `dynamo` alone."""

    path: str
    entry: Optional[str] = None
    inputs: Tuple[str, ...] = ()
    init: Optional[str] = None
    module: str = "__probed__"
    sys_path: Tuple[str, ...] = ()
    arguments: Tuple[str, ...] = ()
    parts: Tuple[str, ...] = ("dynamo",)
    limits: Limits = Limits()
    options: Dict[str, Any] = dataclasses.field(default_factory=dict)

    def parts_for(self, *names: str) -> Tuple[str, ...]:
        """The parts of an object that goes by some names."""
        only = self.options.get("only")
        if only is None or any(name in only for name in names):
            return self.parts
        return tuple(part for part in self.parts if part == "dynamo")

    @classmethod
    def of(cls, request: Dict[str, Any]) -> Job:
        """A job from its JSON form; unknown fields are left out, so that an older probe can serve a newer client."""
        known = {f.name for f in dataclasses.fields(cls)}
        given: Dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in request.items() if k in known}
        limits = given.pop("limits", None) or {}
        names = {f.name for f in dataclasses.fields(Limits)}
        named = {k: v for k, v in limits.items() if k in names}
        return cls(**{**given, "limits": Limits(**named)})


def one_line(text: str, most: int = 500) -> str:
    """A message on one line, cut at `most` characters."""
    short = " ".join(text.split())
    return short if len(short) <= most else short[: most - 1] + "…"


def text_of(error: BaseException, most: int = 500) -> str:
    """The text of an exception on one line; none of one that cannot write itself."""
    try:
        return one_line(str(error), most)
    except Exception:
        return ""


def describe(error: BaseException, most: int = 500) -> str:
    """An exception as a message: its type and its text."""
    text = text_of(error, most)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
