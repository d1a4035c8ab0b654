"""The events of one call in words, from what Dynamo's listener told of it."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Sequence, Set

from runtime_probe.dynamo.places import is_resume, original_name
from runtime_probe.job import one_line
from runtime_probe.report import Graph
from runtime_probe.simulation import Event, EventKind

_RESUMED_AT = re.compile(r"_at_(\d+)$")
_LEAF = ("placeholder", "get_attr", "output")


def event(kind: EventKind, text: str, line: Optional[int] = None, graph: Optional[int] = None) -> Event:
    """One event."""
    return {"kind": kind, "text": one_line(text, 400), "line": line, "graph": graph}


def operations(graph: Graph) -> str:
    """How many operations a graph has."""
    number = sum(node["op"] not in _LEAF for node in graph["nodes"])
    return f"{number} operation{'' if number == 1 else 's'}"


def told(heard: Sequence[Dict[str, Any]], path: str, compiled: Set[int]) -> List[Event]:
    """The events of a call in their order. A graph that runs right behind its compilation is not told again;
    `compiled`: the graphs that there were before the call."""
    names = {one["key"]: one["function"] for one in heard if one["event"] == "frame"}
    found: List[Event] = []
    ran: List[int] = []
    limit = any(one["event"] == "recompile" and one["recompile"]["limit_reached"] for one in heard)
    for one in heard:
        what = one["event"]
        if what == "graph":
            found.append(_compiled(one["graph"], names.get(one["key"], ""), path))
        elif what == "recompile":
            found.append(_recompiled(one["recompile"]))
        elif what == "break":
            found.append(event("break", one["break"]["reason"], one["break"]["line"] or None))
        elif what == "skipped" and not one["harmless"] and not limit:
            name = _named(names.get(one["key"], ""))
            found.append(event("skip", f"{name or 'a function'} runs eagerly: {one['reason']}"))
        elif what == "ran" and one["graph"] in compiled and one["graph"] not in ran:
            ran.append(one["graph"])
            found.append(event("hit", f"the guards hold: graph {one['graph']} runs", None, one["graph"]))
    return found


def settled(heard: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """What was heard without the graphs that were given up again."""
    found: List[Dict[str, Any]] = []
    for one in heard:
        if one["event"] == "withdrawn":
            at = [
                n for n, known in enumerate(found) if known["event"] == "graph" and known["graph"]["id"] == one["graph"]
            ]
            if at:
                del found[at[-1]]
        else:
            found.append(one)
    return found


def _compiled(graph: Graph, function: str, path: str) -> Event:
    lines = graph["lines"].get(path, "")
    where = f", line{'s' if re.search('[-,]', lines) else ''} {lines}" if lines else ""
    text = f"{_named(function) or 'a function'} is compiled to graph {graph['id']}: {operations(graph)}{where}"
    first = re.match(r"\d+", lines)
    return event("compile", text, int(first.group()) if first else None, graph["id"])


def _recompiled(made: Any) -> Event:
    if made["limit_reached"]:
        return event("limit", f"{_named(made['function'])} was compiled too often: it runs eagerly now", made["line"])
    return event("recompile", f"a guard fails: {made['guard']}", made["line"])


def _named(function: str) -> str:
    """A function's name; what goes on behind a break as `forward from line 9`."""
    if not is_resume(function):
        return function
    at = _RESUMED_AT.search(function)
    return original_name(function) + (f" behind line {at.group(1)}" if at else "")
