"""What a capture along one path holds as constants: what was read on the host meanwhile, beside what is read now."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Set, Tuple

from runtime_probe.report import Graph
from runtime_probe.simulate.watch import What
from runtime_probe.simulation import Frozen, FrozenKind

MOST = 60
_MOST_VALUES = 6
#: What each frontend makes a constant of. The arguments of `symbolic_trace` are placeholders, and so are their sizes;
#: `export` refuses to read tensor data, or keeps the value symbolic.
_HELD: Dict[str, Tuple[FrozenKind, ...]] = {
    "trace": ("conversion", "draw", "state", "argument", "metadata", "mode", "size"),
    "fx": ("draw", "state", "mode"),
    "export": ("draw", "state", "argument", "metadata", "mode", "size"),
}


def frozen(
    frontend: str,
    captured: Dict[What, List[str]],
    now: Dict[What, List[str]],
    lines: Set[int],
    graph: Optional[Graph],
) -> List[Frozen]:
    """The constants of a capture, by line. `lines`: those that ran while capturing. Modes of layers only where they
    differ."""
    found: List[Frozen] = []
    sizes = _sizes(graph) if frontend == "trace" else set()
    for (line, kind, what), held in captured.items():
        known = next((one for one in _HELD[frontend] if one == kind), None)
        if known is None or line not in lines:
            continue
        if kind == "size" and line in sizes and not what.startswith("len(") and not what.endswith((".dim", ".ndim")):
            continue  # an operation of the graph reads it anew
        read = now.get((line, kind, what), [])
        differs = bool(read) and read != held
        if differs or kind != "mode":
            words = _shown(held), _shown(read)
            if differs and words[0] == words[1]:
                words = f"{words[0]} ({_times(held)})", f"{words[1]} ({_times(read)})"
            found.append(
                {
                    "line": line,
                    "what": what,
                    "kind": known,
                    "captured": words[0],
                    "now": words[1],
                    "differs": differs,
                }
            )
    found.sort(key=lambda one: (not one["differs"], one["line"], one["what"]))
    return sorted(found[:MOST], key=lambda one: (one["line"], one["what"]))


def _sizes(graph: Optional[Graph]) -> Set[Optional[int]]:
    nodes = graph["nodes"] if graph is not None else []
    return {node["line"] for node in nodes if node["target"] in ("aten::size", "prim::shape")}


def _shown(values: Sequence[str]) -> str:
    """One value where all are the same; else the first ones in their order."""
    if len(set(values)) == 1:
        return values[0]
    return ", ".join(values[:_MOST_VALUES]) + (", …" if len(values) > _MOST_VALUES else "")


def _times(values: Sequence[str]) -> str:
    return "once" if len(values) == 1 else f"{len(values)} times"
