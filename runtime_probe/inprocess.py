"""TorchDynamo heard in the present process, while the program's own tests run."""

from __future__ import annotations

import functools
import platform
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch

from runtime_probe import selftest
from runtime_probe.assemble import Assembler
from runtime_probe.dynamo.listen import Listener
from runtime_probe.report import VERSION, Entry, Report


@functools.lru_cache(maxsize=1)
def blind() -> Tuple[str, ...]:
    """What this torch does not let us see."""
    return tuple(selftest.run())


def unseen_breaks() -> List[str]:
    """What of breaks this torch does not let us see."""
    return [what for what in blind() if what in selftest.BREAKS]


class Observation:
    """`with Observation() as seen:`; what was compiled before counts as never compiled. Afterwards `seen.entry` is the
    report of all that Dynamo did. One inside another takes what it hears for itself."""

    _active: List[Observation] = []

    def __init__(self, name: str = "", inputs: Sequence[str] = ()) -> None:
        self._assembler = Assembler(name, list(inputs))
        self._listener = Listener(self._assembler.take)
        self._name = name

    def __enter__(self) -> Observation:
        if self._active:
            self._active[-1]._listener.pause()
        blind()  # its own programs are not to be heard
        torch._dynamo.reset()
        self._active.append(self)
        self._listener.resume()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self._active.remove(self)
        if self._active:
            self._active[-1]._listener.resume()

    def at_call(self, number: int) -> None:
        """What follows is heard of a call."""
        self._listener.call = number

    @property
    def entry(self) -> Entry:
        """What was heard so far."""
        return self._assembler.result()

    def report(self) -> Report:
        """The entry as a whole report."""
        return {
            "version": VERSION,
            "torch": str(torch.__version__),
            "python": platform.python_version(),
            "device": "cuda" if torch.cuda.is_available() else "cpu",
            "support": selftest.support(list(blind())),  # type: ignore[typeddict-item]
            "blind": list(blind()),
            "errors": [],
            "entries": [{**self.entry, "target": self._name}],
        }


def probe(function: Any, calls: Sequence[Any], name: str) -> Report:
    """Compile a function or module afresh, without code generation, and make calls: a tuple is the positional
    arguments, a dict the keyword arguments, anything else the one argument. Raises what the calls raise."""
    with Observation(name, [_shown(call) for call in calls]) as seen:
        compiled: Any = torch.compile(function, backend="eager")
        for number, call in enumerate(calls):
            seen.at_call(number)
            args, kwargs = _arguments(call)
            compiled(*args, **kwargs)
    return seen.report()


def _arguments(call: Any) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    if isinstance(call, tuple):
        return call, {}
    if isinstance(call, dict) and all(isinstance(key, str) for key in call):
        return (), call
    return (call,), {}


def _shown(value: Any, depth: int = 0) -> str:
    """A call's arguments in short: `(float32[2, 8], 3)`."""
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).replace('torch.', '')}{list(value.shape)}"
    if isinstance(value, (tuple, list)) and depth < 3:
        return f"({', '.join(_shown(one, depth + 1) for one in value)})"
    if isinstance(value, dict) and depth < 3:
        return "{" + ", ".join(f"{key}: {_shown(one, depth + 1)}" for key, one in value.items()) + "}"
    text: Optional[str] = repr(value) if isinstance(value, (int, float, str, bool, type(None))) else None
    return text if text is not None and len(text) < 60 else type(value).__name__
