"""What is to be written into the lines of a file: of a probe whose results hold, else what is predicted.

Places are those of the text as it is now, 1-based; a result of which that is not known is left out.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from analyzer.finding import Finding, RootPlace
from analyzer.outcome import DYNAMO_FAMILY, Frontend
from capture_lsp.formats.probe.words import breaks_of, on_a_value, short
from capture_lsp.formats.style import counted
from capture_lsp.probe.frames import first_frames
from capture_lsp.probe.functions import Function, functions_of
from capture_lsp.server.islands import breaking, islands
from capture_lsp.server.moved import Moved
from capture_lsp.server.verdicts import Probed

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Symbol

_SYMBOL = re.compile(r"\b[su]\d+\b")
_MOST_VALUES = 3
#: What a trace does at findings of these rules.
_TRACED = {"CAP202": "unrolled", "CAP203": "frozen", "CAP204": "unrolled"}


@dataclass(frozen=True, order=True)
class Hint:
    """Stands behind the character before `column`."""

    line: int
    column: int
    label: str
    reason: str


def of_probe(probed: Probed, path: str, now: str) -> list[Hint]:
    """What a probe saw in a file. Only for one that is fresh."""
    moved = probed.moved(path, now)
    if moved is None:
        return []
    made = _OfProbe(probed, path, now, moved)
    return list(dict.fromkeys([*made.breaks(), *made.sizes(), *made.parameters(), *made.loops(), *made.guards()]))


class _OfProbe:
    def __init__(self, probed: Probed, path: str, now: str, moved: Moved) -> None:
        self._probed = probed
        self._entry: Entry = probed.evidence.entry
        self._real = os.path.realpath(path)
        self._lines = now.split("\n")
        self._functions = functions_of(now) or []
        self._moved = moved

    def _here(self, path: str | None) -> bool:
        return path is not None and os.path.realpath(path) == self._real

    def _end(self, line_then: int) -> tuple[int, int] | None:
        """The end of a line."""
        line = self._moved.line(line_then)
        if line is None or line > len(self._lines):
            return None
        return line, len(self._lines[line - 1].rstrip()) + 1

    def breaks(self) -> Iterator[Hint]:
        for found in breaks_of(self._entry):
            line = self._line_of(found)
            place = self._end(line) if line is not None else None
            if place is not None:
                yield Hint(*place, f"break → {self._goes_on(found)}", short(found["reason"]))

    def _line_of(self, found: Break) -> int | None:
        """The line of a break, if it is of this file: it is told in the innermost file of the user's."""
        for step in ({"path": found["path"], "line": found["line"]}, *reversed(found["stack"])):
            path, line = step["path"], step["line"]
            if isinstance(path, str) and self._probed.text_then(path) is not None:
                return line if self._here(path) and isinstance(line, int) else None
        return None

    def _goes_on(self, found: Break) -> str:
        """In which graph what follows a break is."""
        name = found["resume"]
        if name is not None:
            for frame in first_frames(self._entry):
                if frame["function"].rpartition(".")[2] == name and frame["graphs"] and not frame["skipped"]:
                    return f"graph {frame['graphs'][0]['id']}"
        return "eager"

    def sizes(self) -> Iterator[Hint]:
        """Reads of sizes: of a place that was compiled more than once, symbols count more than numbers."""
        places: dict[tuple[int, int], list[list[str]]] = {}
        for read in self._entry.get("sizes", ()):
            if self._here(read["path"]):
                places.setdefault((read["end_line"], read["end_column"]), []).append(read["values"])
        unpacked = self._unpacked() if places else {}
        for then, compiled in places.items():
            place = self._moved.place(*then)
            if place is None:
                continue
            count = max(map(len, compiled))
            columns = [[values[n] for values in compiled if n < len(values)] for n in range(count)]
            names = unpacked.get(place, [])
            if len(names) != count:
                yield from self._sizes_at(place, columns)
                continue
            for name, column in zip(names, columns, strict=True):
                yield from self._sizes_at(name, [column])

    def _sizes_at(self, place: tuple[int, int], columns: Sequence[Sequence[str]]) -> Iterator[Hint]:
        """`columns`: of each dimension what it was in one compilation after the other."""
        fixed = [all(value.lstrip("-").isdecimal() for value in column) for column in columns]
        symbols = [column[-1] for column, whole in zip(columns, fixed, strict=True) if not whole]
        numbers = [_few(column) for column, whole in zip(columns, fixed, strict=True) if whole]
        if symbols:
            yield Hint(*place, ", ".join(map(self._ranged, dict.fromkeys(symbols))), self._sources(symbols))
        if numbers:
            reason = "baked into the graph; another size is compiled anew"
            yield Hint(*place, f"frozen: {', '.join(numbers)}", reason)

    def _unpacked(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """The ends of what is assigned to at once, by the end of the whole (`b, d` of `b, d = x.shape`)."""
        found = {}
        for function in self._functions:
            for node in ast.walk(function.node):
                if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
                    if not any(isinstance(one, ast.Starred) for one in node.elts):
                        found[self._end_of(node)] = [self._end_of(one) for one in node.elts]
        return found

    def _end_of(self, node: ast.expr) -> tuple[int, int]:
        line = node.end_lineno or node.lineno
        row = self._lines[line - 1].encode()[: node.end_col_offset or 0]
        return line, len(row.decode("utf-8", "replace")) + 1

    def parameters(self) -> Iterator[Hint]:
        """The symbolic sizes of a captured function's own tensors."""
        for frame in self._entry["frames"]:
            function = self._function_at(frame["path"], frame["line"])
            if function is None:
                continue
            for guard in frame["guards"]:
                named = dict.fromkeys(_SYMBOL.findall(guard["expression"].partition("]")[0]))
                argument = _parameter(function, guard["source"])
                if guard["kind"] == "TENSOR_MATCH" and named and argument is not None:
                    yield Hint(
                        argument.end_lineno or argument.lineno,
                        self._column(argument),
                        ", ".join(map(self._ranged, named)),
                        f"{guard['source']} is {guard['expression']}",
                    )

    def _function_at(self, path: str, line: int) -> Function | None:
        if not self._here(path):
            return None
        now = self._moved.line(line)
        return next((f for f in self._functions if now is not None and f.begins_at(now)), None)

    def _column(self, argument: ast.arg) -> int:
        row = self._lines[(argument.end_lineno or argument.lineno) - 1].encode()
        return len(row[: argument.end_col_offset or 0].decode("utf-8", "replace")) + 1

    def _ranged(self, expression: str) -> str:
        """A symbol with its range, where there is one of this name."""
        ranges = {one["range"] for one in self._entry["symbols"] if one["name"] == expression}
        return f"{expression} ∈ {half_open(ranges.pop())}" if len(ranges) == 1 else expression

    def _sources(self, expressions: Iterable[str]) -> str:
        names = {name for expression in expressions for name in _SYMBOL.findall(expression)}
        known: list[Symbol] = [one for one in self._entry["symbols"] if one["name"] in names]
        told = dict.fromkeys(f"{one['name']} is {one['source']}, in {half_open(one['range'])}" for one in known)
        return "; ".join(told) or "a symbol in the graph"

    def loops(self) -> Iterator[Hint]:
        counts: dict[tuple[int, int], list[int]] = {}
        for loop in self._entry.get("loops", ()):
            if self._here(loop["path"]):
                counts.setdefault((loop["line"], loop["column"]), []).append(loop["times"])
        if not counts:
            return
        for node in (n for function in self._functions for n in ast.walk(function.node) if isinstance(n, ast.For)):
            starts = {self._start(node), self._start(node.iter)}
            for then, times in counts.items():
                if self._moved.place(*then) in starts:
                    text = _few([f"×{count}" for count in times])
                    end = node.iter.end_lineno or node.iter.lineno
                    row = self._lines[end - 1].encode()[: node.iter.end_col_offset or 0]
                    column = len(row.decode("utf-8", "replace")) + 1
                    yield Hint(end, column, f"unrolled {text}", "the graph holds each iteration of its own")
                    break

    def _start(self, node: ast.AST) -> tuple[int, int]:
        line, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return line, len(self._lines[line - 1].encode()[:offset].decode("utf-8", "replace")) + 1

    def guards(self) -> Iterator[Hint]:
        lines: dict[int, dict[str, None]] = {}
        for frame in first_frames(self._entry):
            for guard in frame["guards"]:
                if guard["line"] is not None and self._here(guard["path"]) and on_a_value(guard):
                    told = f"{guard['source']}: {guard['expression']}".rstrip(": ")
                    lines.setdefault(guard["line"], {})[told] = None
        for line, reasons in lines.items():
            place = self._end(line)
            if place is not None:
                label = "guard" if len(reasons) == 1 else counted(len(reasons), "guard")
                yield Hint(*place, label, "\n".join(reasons))


def of_prediction(
    findings: Sequence[Finding], suppressed: Sequence[Finding], roots: Iterable[RootPlace], path: str, now: str
) -> list[Hint]:
    """What the analyzer says of a file's lines. Nothing of findings that a probe has judged, or has judged once, nor of
    those that are suppressed, whose graphs count."""
    open_ = [f for f in findings if not f.stale and set(f.status.values()) <= {"predicted"}]
    numbers = _numbers([*findings, *suppressed], roots, path, now)
    lines = now.split("\n")
    found = []
    for finding in open_:
        end = len(lines[finding.end_line - 1].rstrip()) + 1 if finding.end_line <= len(lines) else 1
        reason = f"{finding.message} (predicted)"
        outcomes = {finding.outcomes.get(name) for name in finding.in_use if name in _DYNAMO}
        if "skipped_frame" in outcomes:
            found.append(Hint(finding.end_line, end, "break → eager", reason))
        elif "graph_break" in outcomes:
            number = numbers.get(finding.key)
            label = "break" if number is None else f"break → graph {number}"
            found.append(Hint(finding.end_line, end, label, reason))
        elif finding.outcomes.get("trace") == "silently_wrong" and "trace" in finding.in_use:
            if (label_ := _TRACED.get(finding.code)) is not None:
                found.append(Hint(finding.end_line, finding.end_column, label_, reason))
    return list(dict.fromkeys(found))


_DYNAMO: frozenset[Frontend] = DYNAMO_FAMILY


def _numbers(
    findings: Sequence[Finding], roots: Iterable[RootPlace], path: str, now: str
) -> dict[tuple[str, str, int, int, int, int], int]:
    """The graph that begins behind each break, where all roots agree on it."""
    functions = functions_of(now) or []
    numbers: dict[tuple[str, str, int, int, int, int], set[int]] = {}
    for root in roots:
        function = next((f for f in functions if root.label == f"{path}::{f.name}"), None)
        if function is None:
            continue
        found = islands(function, root.label, breaking(findings, root.label, root.frontends))
        for before, after in pairwise(found):
            if before.until is not None:
                numbers.setdefault(before.until.key, set()).add(after.number)
    return {key: value.pop() for key, value in numbers.items() if len(value) == 1}


def half_open(interval: str) -> str:
    """`[2, ∞)`: infinity belongs to no interval."""
    text = interval.replace("∞]", "∞)")
    return text.replace("[-∞", "(-∞")


def _few(values: Iterable[str]) -> str:
    shown = list(dict.fromkeys(values))
    return " or ".join(shown[:_MOST_VALUES]) + (" or …" if len(shown) > _MOST_VALUES else "")


def _parameter(function: Function, name: str) -> ast.arg | None:
    if not isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    given = function.node.args
    return next((a for a in (*given.posonlyargs, *given.args, *given.kwonlyargs) if a.arg == name), None)
