"""What an eager call does, watched: how each condition came out, which lines ran, what was read on the host."""

from __future__ import annotations

import contextlib
import functools
import sys
import types
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

import torch

from runtime_probe.dynamo.places import is_inside, is_packaged
from runtime_probe.matrix.blame import Place
from runtime_probe.matrix.decisions import Recorder
from runtime_probe.simulate import conditions, jumps
from runtime_probe.simulate.conditions import Key, Span

#: Line, kind, what: what was read, see `matrix.decisions.Reading`.
What = Tuple[int, str, str]

#: No more of each is remembered: visits of one condition, values of one reading, readings.
MOST_VISITS, MOST_VALUES, MOST_READINGS = 10_000, 64, 2_000
#: Layers that do something else in training.
_MODAL = (
    torch.nn.modules.dropout._DropoutNd,
    torch.nn.modules.batchnorm._NormBase,
    torch.nn.MultiheadAttention,
    torch.nn.RNNBase,
)


class Watch(Recorder):
    """`with watch.recording():` around an eager call. `ways`: how each condition of the program's own code came out,
    visit by visit; `reads`: those whose test reads tensor data; `lines`: of the program's file; `read`: what was read
    there, with its values in order."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.ways: Dict[Key, List[bool]] = {}
        self.reads: Set[Key] = set()
        self.lines: Set[int] = set()
        self.read: Dict[What, List[str]] = {}

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Inside, everything is noted."""
        sys._getframe().f_trace_opcodes = True  # Python 3.12 looks for one such frame when tracing is turned on
        with super().recording():
            yield

    def _call(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        path = frame.f_code.co_filename
        if not is_inside(path):
            return None
        if self._root is None:
            self._root = frame
        if is_packaged(path):
            return self._line
        found = _jumps(frame.f_code)
        follow = self._following(found, conditions.of_file(path), path == self.path)
        frame.f_trace = follow  # Python 3.13 wants it before the next line
        frame.f_trace_opcodes = bool(found)
        return follow

    def _following(self, table: Dict[int, jumps.Jump], known: conditions.Conditions, own: bool) -> Any:
        """A trace function for one frame: a jump is decided by the instruction that comes after it."""
        pending: Optional[jumps.Jump] = None

        def follow(frame: types.FrameType, event: str, argument: Any) -> Any:
            nonlocal pending
            if event == "opcode":
                at = frame.f_lasti
                if pending is not None:
                    if at == pending.own:
                        return follow
                    way = (at == pending.target) == pending.jumped
                    if pending.partly is None or way == pending.partly:
                        self._went(known.all[pending.condition].key, way)
                pending = table.get(at)
            elif event == "line":
                if own:
                    self.lines.add(frame.f_lineno)
                self._line(frame, event, argument)
                self.readings.clear()
            else:
                pending = None
            return follow

        return follow

    def _went(self, key: Key, way: bool) -> None:
        visits = self.ways.setdefault(key, [])
        if len(visits) < MOST_VISITS:
            visits.append(way)

    def _conversion(self, what: str, value: Any) -> None:
        frame = _users(sys._getframe(1))
        if frame is None or self._last is None:
            return
        data = what != "__len__"
        if data:
            self._mark(frame, bool(value) if what == "__bool__" else None)
        path = frame.f_code.co_filename
        self._add((path, frame.f_lineno), "conversion" if data else "size", _text(frame) or what + "()", value)

    def _mark(self, frame: types.FrameType, truth: Optional[bool]) -> None:
        """The conditions that a conversion in `frame` decides: those around it, those that read what it is assigned to,
        and those around the call that returns it."""
        known = conditions.of_file(frame.f_code.co_filename)
        predicate = known.calls.get(_span_at(frame) or (0, 0, 0, 0))
        if truth is not None and predicate is not None:
            self._went(known.all[predicate].key, truth)
        step: Optional[types.FrameType] = frame
        while step is not None:
            keys, returned = _decided(step.f_code, step.f_lasti, step.f_lineno)
            self.reads.update(keys)
            step = _users(step.f_back) if returned else None

    def _draw(self, what: str, value: Any) -> None:
        frame = _users(sys._getframe(1))
        if frame is not None and self._last is not None:
            self._add((frame.f_code.co_filename, frame.f_lineno), "draw", _text(frame) or what + "()", value)

    def _tensor(self, place: Place, name: str, tensor: torch.Tensor, attribute: str) -> None:
        kind = _KINDS.get(attribute)
        if kind is not None:
            found = getattr(tensor, attribute, None)
            with contextlib.suppress(Exception):
                found = found() if callable(found) else found
                self._add(place, kind, f"{name}.{attribute}", tuple(found) if isinstance(found, torch.Size) else found)

    def _load(self, place: Place, chain: Tuple[str, ...], frame: types.FrameType) -> None:
        if place[0] == self.path and not _of_no_interest(chain, frame):
            super()._load(place, chain, frame)

    def _mode(self, place: Place, name: str, module: torch.nn.Module) -> None:
        if isinstance(module, _MODAL):
            self._add(place, "mode", name + ".training", module.training)

    def _add(self, place: Place, kind: str, what: str, value: Any) -> None:
        if place[0] != self.path or (len(self.read) >= MOST_READINGS and (place[1], kind, what) not in self.read):
            return
        values = self.read.setdefault((place[1], kind, what), [])
        if len(values) < MOST_VALUES:
            values.append(repr(value)[:200])


_KINDS: Dict[str, str] = {
    **dict.fromkeys(("shape", "size", "numel", "dim", "ndim", "stride", "is_contiguous"), "size"),
    **dict.fromkeys(("dtype", "device", "requires_grad", "layout", "is_floating_point", "type"), "metadata"),
}


class Lines:
    """Notes the lines of one file that run, and nothing else: while a frontend captures."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: Set[int] = set()

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Inside, lines are noted."""
        old = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(old)

    def _call(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != self.path:
            return None
        if event == "line":
            self.lines.add(frame.f_lineno)
        return self._call


def _of_no_interest(chain: Tuple[str, ...], frame: types.FrameType) -> bool:
    """Whether a name is of a library, or a local one that the function itself assigned."""
    name = chain[0]
    if name not in frame.f_locals:
        held = frame.f_globals.get(name)
        return isinstance(held, types.ModuleType) and not is_inside(getattr(held, "__file__", None) or "<built in>")
    code = frame.f_code
    given = name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return not given and (len(chain) == 1 or isinstance(frame.f_locals[name], (list, dict, set, tuple)))


def _users(frame: Optional[types.FrameType]) -> Optional[types.FrameType]:
    """The innermost frame of the program's own code, from a frame outwards."""
    while frame is not None:
        path = frame.f_code.co_filename
        if is_inside(path) and not is_packaged(path):
            return frame
        frame = frame.f_back
    return None


@functools.cache
def _jumps(code: types.CodeType) -> Dict[int, jumps.Jump]:
    return jumps.of_code(code, conditions.of_file(code.co_filename))


@functools.cache
def _positions(code: types.CodeType) -> List[Any]:
    found = getattr(code, "co_positions", None)  # since Python 3.11
    return list(found()) if found is not None else []


def _span_at(frame: types.FrameType) -> Optional[Span]:
    return _span(frame.f_code, frame.f_lasti)


def _span(code: types.CodeType, at: int) -> Optional[Span]:
    found, number = _positions(code), at // 2
    if not 0 <= number < len(found) or None in found[number]:
        return None
    line, end_line, start, end = found[number]
    return line, start, end_line, end


@functools.lru_cache(maxsize=4096)
def _decided(code: types.CodeType, at: int, line: int) -> Tuple[Set[Key], bool]:
    """The conditions around an instruction or fed by its statement, and whether its value is returned."""
    known, span, jump = conditions.of_file(code.co_filename), _span(code, at), _jumps(code).get(at)
    if jump is not None:
        return {known.all[jump.condition].key}, False
    if span is None:
        return {one.key for one in known.all if one.span[0] <= line <= one.span[2]}, False
    numbers = {*known.holding(span), *known.reading(span)}
    if span in known.calls:
        numbers.add(known.calls[span])
    return {known.all[number].key for number in numbers}, known.returned(span)


@functools.lru_cache(maxsize=4096)
def _source(path: str, span: Span) -> str:
    import linecache

    return conditions.text_of([line.encode("utf-8") for line in linecache.getlines(path)], span, 80)


def _text(frame: types.FrameType) -> str:
    """The source of what a frame evaluates, of a test without its `not`; empty where Python has no columns."""
    jump = _jumps(frame.f_code).get(frame.f_lasti)
    if jump is not None:
        test = conditions.of_file(frame.f_code.co_filename).all[jump.condition]
        return test.text if test.operand[:2] == test.span[:2] else _source(frame.f_code.co_filename, test.operand)
    span = _span_at(frame)
    return _source(frame.f_code.co_filename, span) if span is not None else ""
