"""Why two neighbouring kernels are not one: a class of reasons, and the scheduler's own words."""

from __future__ import annotations

import functools
import os
from typing import Any, List, Sequence, Set, Tuple

from runtime_probe.job import one_line
from runtime_probe.kernels import inductor

_TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fusion_reasons.tsv")


@functools.cache
def _classes() -> Tuple[Tuple[str, str], ...]:
    with open(_TABLE, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return tuple((row[0], row[1]) for row in rows)


def classify(words: str) -> str:
    """The class of something that the scheduler said; `other` for what is not in the table."""
    lowered = words.lower()
    return next((name for part, name in _classes() if part in lowered), "other")


def pairs(kernels: Sequence[Sequence[Any]]) -> List[Tuple[int, int]]:
    """Neighbours: kernels in the order of their launches, given as final nodes, by index. One is a neighbour of the
    next one, and of the first one that reads what it writes."""
    found: List[Tuple[int, int]] = []
    written = [{name for node in nodes for name in inductor.buffers(node)[1]} for nodes in kernels]
    read = [{name for node in nodes for name in inductor.buffers(node)[0]} for nodes in kernels]
    for index in range(len(kernels) - 1):
        readers = [later for later in range(index + 1, len(kernels)) if written[index] & read[later]]
        found += sorted({(index, index + 1), *((index, later) for later in readers[:1])})
    return found


def why(lowering: Any, first: Sequence[Any], second: Sequence[Any]) -> str:
    """Why the final nodes of two kernels are not one kernel."""
    before, after = _closest(first, second)
    if inductor.device_of(before) != inductor.device_of(after):
        return f"device: one is on {inductor.device_of(before)}, the other on {inductor.device_of(after)}"
    said = inductor.refusals(lowering, before, after)
    words = said[-1] if said else ""
    kind = classify(words) if words else ""
    if kind == "no shared data":
        shared = sorted(_used(before) & _used(after))
        if shared:  # both use the same memory, in different ways
            kind = "layout"
            words = f"{words}; {inductor.index_mismatch(lowering, before, after, shared)}"
    if not words:
        kind, words = _by_shape(before, after)
        return f"{kind}: {words}"
    return f"{kind}: “{one_line(words, 300)}”"


def _used(node: Any) -> Set[str]:
    reads, writes = inductor.buffers(node)
    return {*reads, *writes}


def _closest(first: Sequence[Any], second: Sequence[Any]) -> Tuple[Any, Any]:
    """Of two kernels the nodes of which the second reads what the first writes, else those that stand side by side."""
    for after in second:
        for before in reversed(first):
            if set(inductor.buffers(before)[1]) & set(inductor.buffers(after)[0]):
                return before, after
    return first[-1], second[0]


def _by_shape(first: Any, second: Any) -> Tuple[str, str]:
    """What differs between two nodes of which the scheduler says nothing."""
    if inductor.is_extern(first) or inductor.is_extern(second):
        return "extern kernel", "a library's kernel is called as it is"
    if inductor.loops(first) != inductor.loops(second):
        kind = "reduction" if inductor.is_reduction(first) or inductor.is_reduction(second) else "layout"
        return kind, f"the loops differ: {inductor.loops(first)} and {inductor.loops(second)}"
    if set(inductor.dtypes(first)) != set(inductor.dtypes(second)):
        return "dtype", f"{', '.join(inductor.dtypes(first))} and {', '.join(inductor.dtypes(second))}"
    return "other", "the code generator does not make one kernel of them"


def across_break(reason: str) -> str:
    """Why the last kernel of a graph and the first one of the next are not one."""
    return f"break: “{one_line(reason, 200)}”" if reason else "break: the graph ends between them"
