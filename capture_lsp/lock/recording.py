"""From a probe's report to what a lock records of it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from capture_lsp.formats.excerpt import Range
from capture_lsp.formats.probe.words import breaks_of, is_resume
from capture_lsp.lock.portable import portable, portable_text
from capture_lsp.lock.records import Entries, Fingerprint, Locked, LockedBreak
from capture_lsp.probe.evidence import Files
from capture_lsp.probe.functions import innermost

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Frame, Report

#: Nodes that compute nothing.
_NO_OPERATION = ("placeholder", "output", "get_attr")
_RESUME = "torch_dynamo_resume_in_"
TextOf = Callable[[str], "str | None"]


def release_of(torch: str) -> str:
    """`2.13.0` of `2.13.0+cpu`: builds for other devices have the same compiler."""
    return torch.partition("+")[0]


def cut_short(report: Report) -> dict[str, str]:
    """Targets that a limit kept from their end, wholly or in the part with other inputs, and why. What was learned of
    them depends on how fast the machine is."""
    found: dict[str, str] = {}
    for entry in report["entries"]:
        if entry["status"] in ("timeout", "killed") or "stopped after" in entry["message"]:
            found.setdefault(entry["target"], entry["message"] or entry["status"])
    return found


def record(report: Report, root: str, text_of: TextOf, several: bool = True) -> Entries:
    """The entries of a report that were probed to their end, by name; a second one of a name gets a number. `several`:
    there may be more targets than one, now or when it is compared."""
    found: Entries = {}
    count: Counter[str] = Counter()
    for entry in report["entries"]:
        if entry["status"] != "ok":
            continue
        name = name_of(entry, root, several)
        count[name] += 1
        found[name if count[name] == 1 else f"{name}#{count[name]}"] = _Recorder(root, text_of).locked(entry)
    return found


def name_of(entry: Entry, root: str, several: bool) -> str:
    """`train.py::step`: the file of the target, and what was probed of it. What is a target of its own may be captured
    by its file as well, which is another entry."""
    path, _, named = entry["target"].partition("::")
    shown = f"{portable(path, root)}::{portable_text(named or entry['entry'], root)}"
    return f"{shown} (a target)" if named and several else shown


class _Recorder:
    def __init__(self, root: str, text_of: TextOf) -> None:
        self._root = root
        self._text_of = text_of
        self._files = Files((), text_of)

    def locked(self, entry: Entry) -> Locked:
        graphs = [graph for frame in entry["frames"] for graph in frame["graphs"]]
        path, _, named = entry["target"].partition("::")
        return Locked(
            target=portable(path, self._root) + (f"::{named}" if named else ""),
            inputs=tuple(portable_text(text, self._root) for text in entry["inputs"]),
            graphs=len(graphs),
            ops=sum(node["op"] not in _NO_OPERATION for graph in graphs for node in graph["nodes"]),
            eager=tuple(sorted({self._function(frame) for frame in entry["frames"] if frame["skipped"]})),
            breaks=tuple(sorted(self._broken(one) for one in breaks_of(entry))),
            guards=tuple(sorted({g["kind"] for frame in entry["frames"] for g in frame["guards"] if g["kind"]})),
            recompiles=len(entry["recompiles"]),
            matrix={name: verdict["outcome"] for name, verdict in entry["matrix"].items()},
            changes={name: tried for name in entry["matrix"] if (tried := self._changes(entry, name))},
        )

    def _changes(self, entry: Entry, frontend: str) -> dict[str, str]:
        tried = entry["matrix"][frontend]["perturbed"]
        return {portable_text(one["change"], self._root): one["outcome"] for one in tried}

    def _function(self, frame: Frame) -> str:
        """The function of a frame, without Dynamo's names for what goes on behind a break, which hold the line."""
        name = frame["function"]
        while is_resume(name):
            owner, dot, last = name.rpartition(".")
            name = owner + dot + last.removeprefix(_RESUME).rpartition("_at_")[0]
        return name

    def _broken(self, found: Break) -> LockedBreak:
        path, line = found["path"], found["line"]
        function = innermost(self._files.functions(path), line) if path else None
        stack = found["stack"]
        name = function.name if function is not None else (stack[-1]["function"] if stack else "")
        outer = stack[0] if len(stack) > 1 else None
        return LockedBreak(
            Fingerprint(
                found["graph_break"] or found["reason"].partition(": ")[0],
                name,
                normalised(self._files.text(path, _range(found)) if path else ""),
            ),
            at=f"{portable(path, self._root)}:{line}" if path else "",
            reached_from=f"{portable(outer['path'], self._root)}:{outer['line']}" if outer is not None else "",
        )


def _range(found: Break) -> Range:
    return Range(found["line"], found["column"], found["end_line"], found["end_column"])


def normalised(expression: str) -> str:
    """An expression or statement as it is written without comments, extra parentheses and white space."""
    text = expression.strip()
    for whole in (text, f"{text}\n    pass"):  # the header of an `if`, a `for`, a `with`
        try:
            made = ast.unparse(ast.parse(whole))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return made.removesuffix("\n    pass")
    return " ".join(text.split())
