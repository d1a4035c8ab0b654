"""What this torch lets the probe see, found out on programs whose breaks are known.

A hook that torch renamed fails silently: a probe that hears nothing must not say that nothing broke.
"""

from __future__ import annotations

import linecache
import types
from typing import Any, Dict, List

import torch

from runtime_probe import versions
from runtime_probe.dynamo.listen import Listener

_PATH = "capture_selftest_program.py"
_SOURCE = """\
def branch(x):
    y = x * 2
    if y.sum() > 0:
        return y + 1
    return y


def loop(x):
    for i in range(2):
        x = x + 1
        print("", end="")
    return x


def whole(x):
    return (x * x.shape[0]).relu()
"""


#: What hides a break where it cannot be seen: without it nothing may be called captured.
BREAKS = ("breaks at branches on tensors", "breaks in loops", "skipped frames")


def run() -> List[str]:
    """What could not be seen, in words; empty if everything was."""
    blind: List[str] = []
    linecache.cache[_PATH] = (len(_SOURCE), None, _SOURCE.splitlines(True), _PATH)
    module = types.ModuleType("capture_selftest_program")
    exec(compile(_SOURCE, _PATH, "exec"), vars(module))
    heard = {name: _heard(getattr(module, name)) for name in ("branch", "loop", "whole")}
    if [b.get("line") for b in _breaks(heard["branch"])] != [3]:
        blind.append(BREAKS[0])
    if [b.get("line") for b in _breaks(heard["loop"])] != [11]:
        blind.append(BREAKS[1])
    if not any(event["event"] == "skipped" for event in heard["loop"]):
        blind.append(BREAKS[2])
    if _breaks(heard["whole"]) or not any(event["event"] == "graph" for event in heard["whole"]):
        blind.append("graphs")
    if not any(event["event"] == "evaluated" for event in heard["whole"]):
        blind.append("evaluated instructions")
    if not any(event.get("guards") for event in heard["whole"]):
        blind.append("guards")
    torch._dynamo.reset()
    return blind


def support(blind: List[str]) -> str:
    """The tier that the report names."""
    return versions.tier(blind)


def _breaks(events: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    return [event["break"] for event in events if event["event"] == "break"]


def _heard(function: Any) -> List[Dict[str, Any]]:
    events: List[Dict[str, Any]] = []
    torch._dynamo.reset()
    with Listener(events.append):
        compiled: Any = torch.compile(function, backend="eager")
        compiled(torch.ones(3))
    return events
