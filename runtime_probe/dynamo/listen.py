"""Hears what TorchDynamo does while it does it, and passes it on as events.

`torch._dynamo.explain` and the break counters miss data-dependent jumps and skipped frames on torch 2.13, so this
listens to the structured trace and wraps the functions through which every break, skip, graph and recompilation
passes. One listener in a process at a time; `close` puts everything back.
"""

from __future__ import annotations

import dis
import logging
from typing import Any, Dict, List, Optional, Set, Tuple

import torch

from runtime_probe import versions
from runtime_probe.dynamo import breaks, graphs, guards, observe, places, recompiles
from runtime_probe.job import Emit, one_line
from runtime_probe.report import Break, Recompile, Span

#: Reasons to leave a frame alone that lose no graph: nothing to capture in it, or it is not to be captured at all.
_HARMLESS = (
    "no tensor-related objects",
    "No ops traced",
    "no content in function call",
    "skipfiles",
    "already started",
    "is disabled",
    "namedtuple",
    "exec()",
)
_NOWHERE = logging.NullHandler()
_LIMIT = ("recompile limit", "recompile_limit", "cache_size_limit")


class _Seen:
    """What the compilations of one captured object evaluated."""

    def __init__(self) -> None:
        self.spans: Dict[int, Tuple[Any, Set[Any]]] = {}
        self.observer = observe.Observer()
        self.graphs = 0


class Listener:
    """`with Listener(emit) as heard:` around the calls of compiled code. `call` is the number of the given call that
    runs; `breaks`, `skipped`, `recompiles` hold what was heard so far."""

    def __init__(self, emit: Emit, bytecode: bool = False) -> None:
        self.emit = emit
        self.call = 0
        self.breaks: List[Tuple[str, Break, str]] = []  #: frame, break, what it skips ("", "function", "rest")
        self.skipped: List[Tuple[str, str]] = []  #: function and reason, where something was lost
        self.recompiles: List[Tuple[str, Recompile]] = []  #: frame without its recompilation's number, recompilation
        self.limit = False
        self._bytecode = bytecode
        self._hooks = versions.Hooks()
        self._handler = _Handler(self._trace)
        self._active: List[Tuple[str, Any]] = []
        self._frame_of: Dict[int, Tuple[str, Any]] = {}
        self._frames: Dict[str, Any] = {}
        self._seen = _Seen()
        self._seen_of: Dict[int, _Seen] = {}
        self._outside: Dict[int, Any] = {}
        self._shapes: Dict[str, Dict[str, str]] = {}
        self._passed: Dict[str, Set[Tuple[str, int]]] = {}  #: by frame: the lines that its translation evaluated

    def about(self, number: int, emit: Emit) -> None:
        """From now on what is heard is of one captured object among several."""
        self.emit = emit
        self._seen = self._seen_of.setdefault(number, _Seen())

    def compiled(self, number: int) -> bool:
        """Whether anything was evaluated for an object."""
        return number in self._seen_of and bool(self._seen_of[number].spans)

    @property
    def graphs(self) -> int:
        """How many graphs there are, of the present object alone."""
        return self._seen.graphs

    # installation

    def __enter__(self) -> Listener:
        self.resume()
        return self

    def resume(self) -> None:
        """Start to listen, or go on listening."""
        from torch._dynamo import convert_frame
        from torch._logging._internal import trace_log

        self._log_state = (trace_log.level, trace_log.propagate)
        trace_log.addHandler(self._handler)
        trace_log.setLevel(logging.DEBUG)
        trace_log.propagate = False
        self._quiet = getattr(convert_frame, "graph_break_log", None)
        if self._quiet is not None:  # breaks found outside the translator are traced only where this is on
            self._quiet_state = (self._quiet.level, self._quiet.propagate)
            self._quiet.setLevel(logging.DEBUG)
            self._quiet.propagate = False
            self._quiet.addHandler(_NOWHERE)
        self._hooks.on_break(self._on_break)
        self._hooks.on_step(self._on_step)
        self._hooks.on_skip(self._on_skip)
        self._hooks.around_compile(self._around_compile)
        self._hooks.on_graph(self._on_graph)

    def pause(self) -> None:
        """Stop listening for a while."""
        from torch._logging._internal import trace_log

        self._hooks.undo()
        trace_log.removeHandler(self._handler)
        trace_log.setLevel(self._log_state[0])
        trace_log.propagate = self._log_state[1]
        if self._quiet is not None:
            self._quiet.removeHandler(_NOWHERE)
            self._quiet.setLevel(self._quiet_state[0])
            self._quiet.propagate = self._quiet_state[1]

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening, and tell which instructions and functions were seen."""
        self.pause()
        self.tell_evaluated()

    @property
    def missing(self) -> List[str]:
        """The hooks that this torch does not have."""
        return self._hooks.missing

    def tell_evaluated(self) -> None:
        """Send the instructions evaluated and the functions translated so far, of the present object."""
        found: Dict[str, Set[Span]] = {}
        functions: Set[Tuple[str, int, str]] = set()
        for code, positions in self._seen.spans.values():
            path = code.co_filename
            if not places.is_resume(code.co_name):  # its original was translated before it
                functions.add((path, code.co_firstlineno, _name(code)))
            for position in positions:
                made = places.of_positions(path, position)
                # A function's first instruction, RESUME, stands for no text.
                if made is not None and position.col_offset is not None and made[:2] != made[2:]:
                    found.setdefault(path, set()).add(made)
        for path, spans in sorted(found.items()):
            self.emit({"event": "evaluated", "path": path, "spans": sorted(spans)})
        listed = [{"path": p, "line": n, "function": f} for p, n, f in sorted(functions)]
        self.emit({"event": "traced", "functions": listed})
        self.emit({"event": "sizes", "sizes": self._seen.observer.sizes})
        self.emit({"event": "loops", "loops": self._seen.observer.loops})

    # what is heard

    def _around_compile(self, real: Any, code: Any, *args: Any, **kwargs: Any) -> Any:
        key = str(kwargs.get("compile_id") or versions.compile_id() or f"?/{len(self._frames)}")
        if places.is_shown(code.co_filename):
            self._frame(key, code)
        hooks = versions.guard_hooks(args, kwargs)
        given = getattr(hooks, "guard_export_fn", None)
        if hooks is not None:
            hooks.guard_export_fn = self._guards_to(key, given)
        self._active.append((key, code))
        try:
            result = real(code, *args, **kwargs)
            if getattr(result, "guarded_code", None) is not None:
                self._seen.observer.compiled()
        except Exception as error:
            if any(word in str(error) for word in _LIMIT):
                self._on_limit(key)
            raise
        finally:
            self._active.pop()
            if hooks is not None:
                hooks.guard_export_fn = given
            if not self._active:
                self._seen.observer.dropped()
        if self._bytecode:
            self._tell_bytecode(key, code, result)
        return result

    def _current(self) -> str:
        """The frame that is translated now. One of torch's own wrappers is told of only if something happens in it."""
        if not self._active:
            return ""
        key, code = self._active[-1]
        self._frame(key, code)
        return key

    def _frame(self, key: str, code: Any) -> None:
        self._frame_of[id(code)] = (key, code)
        if key not in self._frames:
            self._frames[key] = code
            self.emit(
                {
                    "event": "frame",
                    "key": key,
                    "function": _name(code),
                    "path": code.co_filename,
                    "line": code.co_firstlineno,
                    "compile_id": key if not key.startswith("?") else None,
                }
            )

    def _guards_to(self, key: str, given: Any) -> Any:
        def export(found: Any) -> Any:
            self.emit({"event": "guards", "key": key, "guards": guards.of_set(found, self._shapes.get(key, {}))})
            return given(found) if given is not None else None

        return export

    def _tell_bytecode(self, key: str, code: Any, result: Any) -> None:
        guarded = getattr(result, "guarded_code", None)
        after = getattr(guarded, "code", None)
        shown = {"before": dis.Bytecode(code).dis(), "after": dis.Bytecode(after).dis() if after is not None else None}
        self.emit({"event": "bytecode", "key": key, "bytecode": shown})

    def _on_step(self, tx: Any) -> None:
        code = tx.f_code
        known = self._seen.spans.get(id(code))
        if known is None:
            if id(code) in self._outside:
                return
            if not places.is_inside(code.co_filename):
                self._outside[id(code)] = code  # kept, so that its id is not given to another
                return
            known = self._seen.spans[id(code)] = (code, set())
        self._seen.observer.step(tx)
        pointer = tx.instruction_pointer
        if pointer is not None and not getattr(tx, "is_tracing_resume_prologue", False):
            positions = tx.instructions[pointer].positions
            if positions is not None:
                known[1].add(positions)
                if positions.lineno is not None and tx.instructions[pointer].opname != "RESUME":
                    self._passed.setdefault(self._active[-1][0] if self._active else "", set()).add(
                        (code.co_filename, positions.lineno)
                    )

    def _on_break(self, tx: Any, reason: str, error: Any, stack: Any) -> None:
        resuming = tx is not None and places.is_resume(tx.f_code.co_name)
        key = self._current()
        self._tell_break(key, breaks.from_exception(tx, reason, error, stack), breaks.skips(reason, resuming))

    def _tell_break(self, key: str, found: Break, skips: str) -> None:
        self.breaks.append((key, found, skips))
        self.emit({"event": "break", "key": key, "break": found})
        if skips == "function":
            self._tell_skip(key, found["reason"])

    def _tell_skip(self, key: str, reason: str) -> None:
        code = self._frames.get(key)
        self.skipped.append((_name(code) if code is not None else "", reason))
        self.emit({"event": "skipped", "key": key, "reason": one_line(reason, 300), "harmless": False})

    def _on_skip(self, reason: str, code: Any) -> None:
        if not places.is_inside(code.co_filename):
            return
        known = self._frame_of.get(id(code))
        if known is None and places.is_packaged(code.co_filename):
            return  # what a package does in eager code, of which nothing was tried
        key = known[0] if known is not None else f"?/{len(self._frames)}"
        self._frame(key, code)
        if any(word in reason for word in _HARMLESS):
            self.emit({"event": "skipped", "key": key, "reason": one_line(reason, 300), "harmless": True})
        else:
            self._tell_skip(key, reason)

    def _on_graph(self, real: Any, output: Any, module: Any, *rest: Any, **named: Any) -> Any:
        key = self._current()
        number = self._seen.graphs
        self._seen.graphs += 1
        made = graphs.of_module(number, module, self._passed.get(key, ()))
        self.emit({"event": "graph", "key": key, "graph": made})
        self._shapes[key] = graphs.inputs_of(module)
        found = graphs.symbols_of(getattr(output, "shape_env", None))
        if found:
            self.emit({"event": "symbols", "symbols": found})
        try:
            return real(output, module, *rest, **named)
        except torch._dynamo.exc.RestartAnalysis:
            self._seen.graphs = number
            self.emit({"event": "withdrawn", "key": key, "graph": number})
            raise

    def _trace(self, metadata: Dict[str, Any], payload: Any) -> None:
        name = (metadata.get("artifact") or {}).get("name")
        if name == "recompile_reasons":
            self._on_recompile(metadata, payload)
        elif name == "dynamo_graph_break_reason" and not str(payload).startswith("Graph break in user code"):
            self._on_outside(metadata, str(payload))

    def _on_recompile(self, metadata: Dict[str, Any], payload: Any) -> None:
        frame = str(metadata.get("frame_id"))
        code = next((c for k, c in reversed(list(self._frames.items())) if k.split("/")[0] == frame), None)
        if code is None:
            return
        made = recompiles.of_payload(payload, code.co_filename, code.co_firstlineno, _name(code), self.call)
        if made is not None:
            self.recompiles.append((frame, made))
            self.emit({"event": "recompile", "recompile": made})

    def _on_limit(self, key: str) -> None:
        """The frame was compiled too often: from now on it runs eagerly."""
        self.limit = True
        frame = key.split("/")[0]
        last: Optional[Recompile] = next((r for f, r in reversed(self.recompiles) if f == frame), None)
        if last is not None:
            self.emit({"event": "recompile", "recompile": {**last, "call": self.call, "limit_reached": True}})

    def _on_outside(self, metadata: Dict[str, Any], payload: str) -> None:
        """A break that no translator reported: Dynamo gave up on the frame before or after translating it."""
        frame, number = metadata.get("frame_id"), metadata.get("frame_compile_id")
        if any(word in payload for word in _LIMIT):
            return
        key = f"{frame}/{number}"
        if key in self._frames:
            self._tell_break(key, breaks.outside(payload), "function")


class _Handler(logging.Handler):
    """Passes records of the structured trace on; whatever goes wrong in it does not reach the program."""

    def __init__(self, told: Any) -> None:
        super().__init__(logging.DEBUG)
        self._told = told

    def emit(self, record: logging.LogRecord) -> None:
        metadata = getattr(record, "metadata", None)
        if isinstance(metadata, dict):
            self._told(metadata, getattr(record, "payload", None))


def _name(code: Any) -> str:
    name = getattr(code, "co_qualname", code.co_name)  # since Python 3.11
    return str(name).replace("<locals>.", "")
