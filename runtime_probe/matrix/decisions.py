"""What a program reads on the host while it runs eagerly, line by line, and the first thing that two calls read
differently: what a capture has frozen.

A call is run under `sys.settrace`: before each line of the user's, the attributes, globals and scalar arguments that
the line loads are noted, and so is every conversion of a tensor to a Python value and every draw from a generator or
clock. What a package reads stands at the user's line that called it.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import random
import sys
import time
import types
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import torch

from runtime_probe.compare import difference, snapshot
from runtime_probe.dynamo.places import is_inside, is_packaged
from runtime_probe.matrix.blame import Place

_CONVERSIONS = ("__bool__", "__int__", "__float__", "__index__", "__len__", "__contains__", "item", "tolist", "numpy")
_SIZES = ("shape", "size", "numel", "dim", "ndim", "stride", "is_contiguous")
_METADATA = ("dtype", "device", "requires_grad", "layout", "is_floating_point", "type")
_DRAWS = {
    random: ("random", "randint", "uniform", "choice", "choices", "shuffle", "sample", "gauss", "randrange"),
    time: ("time", "perf_counter", "monotonic", "time_ns", "perf_counter_ns"),
}
_SCALAR = (bool, int, float, complex, str, bytes, type(None))
#: Kinds in the order in which they are blamed: last the modes of modules, which need not matter to them, and sizes,
#: which most frontends keep symbolic.
RANK = ("conversion", "draw", "state", "argument", "metadata", "branch", "mode", "size")


@dataclass(frozen=True)
class Reading:
    """One thing that was read at a line."""

    place: Place
    kind: str
    what: str
    value: str


def first_difference(one: Sequence[Reading], other: Sequence[Reading], preferred: Sequence[Place]) -> Optional[Reading]:
    """What two calls read differently, of the kind that captures freeze most: at a preferred line if there is one."""
    found: List[Reading] = []
    last: Optional[Reading] = None
    for a, b in zip(one, other):
        if (a.place, a.kind, a.what) != (b.place, b.kind, b.what):
            if last is not None:
                found.append(Reading(last.place, "branch", last.what, last.value))
            break
        if a.value != b.value:
            found.append(b)
        last = a
    else:
        if len(one) != len(other) and last is not None:
            found.append(Reading(last.place, "branch", last.what, last.value))
    at_preferred = [r for r in found if r.place in preferred]
    return min(at_preferred or found, key=lambda r: RANK.index(r.kind), default=None)


class Recorder:
    """Notes readings while a call runs. `watch`: a function that gives a piece of state; `written` is then the line
    that first changed it."""

    def __init__(self, watch: Optional[Callable[[], Any]] = None) -> None:
        self.readings: List[Reading] = []
        self.written: Optional[Place] = None
        self._watch = watch
        self._seen = snapshot(watch()) if watch else None
        self._last: Optional[Place] = None
        self._root: Any = None

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Inside, everything is noted."""
        with _replaced(self._conversion, self._draw):
            old = sys.gettrace()
            sys.settrace(self._call)
            try:
                yield
            finally:
                sys.settrace(old)
                self._look()

    def _call(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        if not is_inside(frame.f_code.co_filename):
            return None
        if self._root is None:
            self._root = frame
        return self._line

    def _line(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        self._look()
        if event == "line":
            place = _users_place(frame)
            self._last = place
            self.readings.append(Reading(place, "branch", "", ""))
            for chain in _loaded(frame.f_code).get(frame.f_lineno, ()):
                self._load(place, chain, frame)
        return self._line

    def _look(self) -> None:
        if self._watch is None or self.written is not None or self._last is None:
            return
        if difference(self._seen, snapshot(self._watch()), exact=True) is not None:
            self.written = self._last

    def _load(self, place: Place, chain: Tuple[str, ...], frame: types.FrameType) -> None:
        name, rest = chain[0], chain[1:]
        if name in frame.f_locals:
            value, known = frame.f_locals[name], "argument"
            if not rest and (frame is not self._root or not isinstance(value, _SCALAR)):
                return
        elif name in frame.f_globals:
            value, known = frame.f_globals[name], "state"
        else:
            return
        for number, step in enumerate(rest):
            known = "state"
            if isinstance(value, torch.Tensor):
                self._tensor(place, ".".join(chain[: number + 1]), value, step)
                return
            try:
                value = _plain_attribute(value, step)
            except AttributeError:
                break
        if isinstance(value, torch.nn.Module):
            self._mode(place, ".".join(chain), value)
        elif isinstance(value, _SCALAR):
            self._add(place, known, ".".join(chain), value)
        elif known == "state" and isinstance(value, (list, dict, set, tuple)):
            self._add(place, known, "len of " + ".".join(chain), len(value))

    def _mode(self, place: Place, name: str, module: torch.nn.Module) -> None:
        self._add(place, "mode", name + ".training", module.training)

    def _tensor(self, place: Place, name: str, tensor: torch.Tensor, attribute: str) -> None:
        if attribute in _SIZES:
            self._add(place, "size", name, tuple(tensor.shape))
        elif attribute in _METADATA:
            self._add(place, "metadata", name, (tensor.dtype, tensor.device, tensor.requires_grad))

    def _conversion(self, what: str, value: Any) -> None:
        if self._last is not None:
            kind = "size" if what == "__len__" else "conversion"
            self._add(self._last, kind, what, value)

    def _draw(self, what: str, value: Any) -> None:
        if self._last is not None:
            self._add(self._last, "draw", what, value)

    def _add(self, place: Place, kind: str, what: str, value: Any) -> None:
        self.readings.append(Reading(place, kind, what, repr(value)[:200]))


def _users_place(frame: types.FrameType) -> Place:
    """The line of a frame, or that of the innermost caller outside of installed packages."""
    step: Optional[types.FrameType] = frame
    while step is not None:
        name = step.f_code.co_filename
        if is_inside(name) and not is_packaged(name):
            return name, step.f_lineno
        step = step.f_back
    return frame.f_code.co_filename, frame.f_lineno


@functools.cache
def _loaded(code: types.CodeType) -> Dict[int, List[Tuple[str, ...]]]:
    """Line → the names that it loads, with the attributes that are read of them."""
    found: Dict[int, List[Tuple[str, ...]]] = {}
    line, chain = code.co_firstlineno, []  # type: ignore[var-annotated]

    def end() -> None:
        if chain and tuple(chain) not in found.setdefault(line, []):
            found[line].append(tuple(chain))
        chain.clear()

    for instruction in dis.get_instructions(code):
        at = _line_of(instruction)
        if at is not None and at != line:
            end()
            line = at
        name = instruction.opname
        if name in ("LOAD_ATTR", "LOAD_METHOD") and chain:
            chain.append(str(instruction.argval).split(" ")[0])
            continue
        end()
        if name.startswith(("LOAD_FAST", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")):
            value = instruction.argval
            chain.extend([str(value[-1] if isinstance(value, tuple) else value)])
    end()
    return found


def _line_of(instruction: Any) -> Optional[int]:
    positions = getattr(instruction, "positions", None)
    if positions is not None:
        return positions.lineno  # type: ignore[no-any-return]
    starts = instruction.starts_line
    return starts if isinstance(starts, int) and not isinstance(starts, bool) else None


def _plain_attribute(value: Any, name: str) -> Any:
    """An attribute that can be read without running the user's code."""
    if isinstance(value, torch.nn.Module):
        for table in ("_buffers", "_parameters", "_modules"):
            if name in vars(value).get(table, ()):
                return vars(value)[table][name]
    if name in getattr(value, "__dict__", ()):
        return vars(value)[name]
    for kind in value.__mro__ if isinstance(value, type) else type(value).__mro__:
        if name in vars(kind):
            found = vars(kind)[name]
            if isinstance(found, (*_SCALAR, list, dict, set, tuple)):
                return found
            break
    raise AttributeError(name)


@contextlib.contextmanager
def _replaced(conversion: Callable[[str, Any], None], draw: Callable[[str, Any], None]) -> Iterator[None]:
    """Inside, conversions of tensors and draws are told."""
    undo: List[Tuple[Any, str, Any]] = []

    def around(owner: Any, name: str, tell: Callable[[str, Any], None], inherited: bool) -> None:
        real = getattr(owner, name, None)
        if real is None:
            return

        @functools.wraps(real)
        def told(*args: Any, **kwargs: Any) -> Any:
            value = real(*args, **kwargs)
            tell(name, value)
            return value

        undo.append((owner, name, None if inherited else real))
        setattr(owner, name, told)

    for name in _CONVERSIONS:
        around(torch.Tensor, name, conversion, name not in vars(torch.Tensor))
    for module, names in _DRAWS.items():
        for name in names:
            around(module, name, draw, False)
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    for name in ("rand", "randn", "randint", "random", "uniform", "normal", "choice"):
        if numpy_random is not None:
            around(numpy_random, name, draw, False)
    try:
        yield
    finally:
        for owner, name, real in reversed(undo):
            if real is None:
                delattr(owner, name)
            else:
                setattr(owner, name, real)
