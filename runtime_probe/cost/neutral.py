"""Ways to neutralise a break, as edits of the program's text: a fix that the caller gives, the statement left out, the
tensor kept where the program reads a number of it, or that number answered by the one that it was."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

from runtime_probe.cost.edits import Edit
from runtime_probe.cost.record import Seen, record
from runtime_probe.cost.source import Source
from runtime_probe.cost.swap import text_of
from runtime_probe.cost.trial import apart
from runtime_probe.dynamo import places
from runtime_probe.report import Break, Location
from runtime_probe.subject import Subject

FIX, REMOVED, KEPT, ANSWERED = "fix", "removed", "kept", "answered"


@dataclass(frozen=True)
class Way:
    """One way to do without a break."""

    how: str
    path: str
    edits: Tuple[Edit, ...]


@dataclass
class Place:
    """A line with breaks, and the ways to do without them, in the order to try them. `reason`: why there is none, or
    what became of the last that was tried."""

    path: str
    line: int
    breaks: List[Break] = field(default_factory=list)
    ways: List[Way] = field(default_factory=list)
    reason: str = ""

    @property
    def location(self) -> Location:
        return {"path": self.path, "line": self.line}


def places_of(breaks: Sequence[Break]) -> List[Place]:
    """The lines that break, in the order in which they do."""
    found: Dict[Tuple[str, int], Place] = {}
    for one in breaks:
        key = one["path"], one["line"]
        found.setdefault(key, Place(*key)).breaks.append(one)
    return list(found.values())


def find_ways(subject: Subject, place: Place, fixes: Sequence[Any], seconds: float) -> None:
    """Fill in the ways of one place."""
    place.ways = [Way(FIX, place.path, edits) for edits in _fixes_for(place, fixes)]
    if not places.is_inside(place.path) or places.is_packaged(place.path):
        place.reason = "the break is not in the program's own files"
        return
    try:
        source = Source(text_of(place.path))
    except (OSError, SyntaxError, ValueError):
        place.reason = "its file cannot be read"
        return
    place.ways += _removals(source, place) + _kept(source, place)
    answers, place.reason = _answers(subject, source, place, seconds)
    place.ways += answers


def _fixes_for(place: Place, fixes: Sequence[Any]) -> List[Tuple[Edit, ...]]:
    """The edits of the given fixes that are of this line."""
    real = os.path.realpath(place.path)
    return [
        tuple(map(Edit.of, fix["edits"]))
        for fix in fixes
        if os.path.realpath(fix["path"]) == real and fix["line"] <= place.line <= fix["end_line"]
    ]


def _span(one: Break) -> Tuple[Tuple[int, int], Tuple[int, int]]:
    return (one["line"], one["column"]), (one["end_line"], one["end_column"])


def _removals(source: Source, place: Place) -> List[Way]:
    """A call whose result nobody uses, as of `print`: whether something else comes out without it will be seen."""
    found = {source.statement_at(*_span(one)) for one in place.breaks}
    if not all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) for s in found):
        return []
    return [Way(REMOVED, place.path, tuple(source.replaced(statement, "pass") for statement in found))]


def _kept(source: Source, place: Place) -> List[Way]:
    """`x.item()` and `float(x)` as `x`: where only arithmetic is done with it, that is how one would mend it. Whether
    the same comes out will be seen."""
    edits: List[Edit] = []
    for one in place.breaks:
        read = next(filter(None, map(_tensor_read, source.expressions_at(*_span(one)))), None)
        if read is None or not _is_operand(source, read[0]):
            return []
        node, tensor = read
        edit = source.replaced(node, f"({source.text_of(tensor)})")
        if edit not in edits:
            edits.append(edit)
    return [Way(KEPT, place.path, tuple(edits))] if edits else []


def _is_operand(source: Source, node: Any) -> bool:
    """Whether arithmetic is done with an expression, now or under a name that it is given."""
    parent = source.parents[node]
    if isinstance(parent, ast.Assign):
        return all(isinstance(target, ast.Name) for target in parent.targets)
    return isinstance(parent, (ast.BinOp, ast.AugAssign))


def _tensor_read(node: Any) -> Optional[Tuple[Any, Any]]:
    """An expression that makes one number of a tensor, and that tensor."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "item" and not node.args:
        return node, node.func.value
    if isinstance(node.func, ast.Name) and node.func.id == "float" and len(node.args) == 1:
        inner = _tensor_read(node.args[0])
        return node, inner[1] if inner is not None else node.args[0]
    return None


def _answers(subject: Subject, source: Source, place: Place, seconds: float) -> Tuple[List[Way], str]:
    """Every read of the line answered."""
    chains = [source.expressions_at(*_span(one)) for one in place.breaks]
    nodes = list({id(node): node for chain in chains for node in chain}.values())
    if not nodes:
        return [], "nothing is read there that could be answered"
    seen = dict(zip(map(id, nodes), apart(lambda: record(subject, source, place.path, nodes), seconds)))
    chosen: Dict[int, Any] = {}
    for chain in chains:
        node = next((node for node in chain if seen[id(node)].calls is not None), None)
        if node is None:
            return [], "no plain number is read there that could be answered"
        chosen[id(node)] = node
    edits: List[Edit] = []
    for number, node in enumerate(_outermost(source, list(chosen.values()))):
        made = _answer(source, node, seen[id(node)], number)
        if not made:
            return [], "the value read there differs between the calls of its function"
        edits += made
    return [Way(ANSWERED, place.path, tuple(edits))], ""


def _outermost(source: Source, nodes: List[Any]) -> List[Any]:
    chosen = set(nodes)
    return [node for node in nodes if not any(above in chosen for above in source.above(node))]


def _answer(source: Source, node: Any, seen: Seen, number: int) -> List[Edit]:
    calls = seen.calls or []
    first = calls[0]
    if all(one == first[0] for call in calls for one in call):
        return [source.replaced(node, first[0])]
    function = source.function_around(node)
    if function is None or any(call != first for call in calls):
        return []
    count = f"__capture_lsp_{node.lineno}_{number}"  # counts the visits within one call
    answers = "".join(f"{one}, " for one in first)
    return [
        source.replaced(node, f"({answers})[({count} := {count} + 1)]"),
        source.begun(function, f"{count} = -1"),
    ]
