"""Applies fixes: those that do not overlap together, then checks again, until nothing is left to fix.

Everything happens in memory; what was changed is written by the caller, at the end. A text that would no longer parse
is never the result.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field

from analyzer.finding import Edit, Fix
from capture_lsp import notebook, textfile
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Settings
from capture_lsp.reading import is_notebook, read_bytes
from capture_lsp.results import RunResult

MAX_ROUNDS = 10


@dataclass
class Fixed:
    """What is left after fixing, the new content of each changed file, and how many fixes were applied."""

    result: RunResult
    changed: dict[str, bytes] = field(default_factory=dict)
    before: dict[str, bytes] = field(default_factory=dict)
    applied: int = 0


def fix_all(
    files: Mapping[str, Settings],
    run: Run,
    unsafe: bool,
    only: Container[str] | None = None,
    checked: Callable[[Mapping[str, Settings], Run], RunResult] = check,
) -> Fixed:
    """Check, fix and check again until no fix applies, at most MAX_ROUNDS times. `only`: the files to change, if not
    all; `checked`: makes the checks."""
    outcome = Fixed(checked(files, run))
    ours = {path: settings for path, settings in files.items() if only is None or path in only}
    seen = set()
    for _ in range(MAX_ROUNDS):
        contents = _Contents(ours, run.overrides)
        applied = contents.apply(_offered(outcome.result, ours, unsafe))
        state = frozenset((path, raw) for path, raw in {**outcome.changed, **contents.changed}.items())
        if not contents.changed or state in seen:
            break
        seen.add(state)
        for path, raw in contents.changed.items():
            outcome.before.setdefault(path, contents.original(path))
            outcome.changed[path] = raw
            run.overrides[path] = raw
        outcome.applied += applied
        outcome.result = checked(files, run)
    outcome.changed = {path: raw for path, raw in outcome.changed.items() if raw != outcome.before[path]}
    return outcome


def _offered(result: RunResult, files: Mapping[str, Settings], unsafe: bool) -> list[Fix]:
    """The first fix of each finding that may be applied."""
    chosen = []
    for file in (file for file in result.files if file.path in files):
        allowed = ("safe", "unsafe") if unsafe or files[file.path].unsafe_fixes else ("safe",)
        for finding in file.findings:
            fix = next((x for x in finding.fixes if x.safety in allowed and x.edits), None)
            if fix is not None:
                chosen.append(fix)
    return chosen


class _Contents:
    """The contents of the files of one round, as fixes are added to them."""

    def __init__(self, files: Mapping[str, Settings], overrides: Mapping[str, bytes]) -> None:
        self._files = files
        self._overrides = overrides
        self._documents: dict[str, Document | None] = {}
        self.changed: dict[str, bytes] = {}

    def original(self, path: str) -> bytes:
        document = self._documents[path]
        assert document is not None
        return document.raw

    def apply(self, fixes: Iterable[Fix]) -> int:
        """Add fixes, leaving out those that overlap or break a file; how many were added."""
        accepted: list[Fix] = []
        edits: dict[str, list[Edit]] = {}
        for fix in fixes:
            if self._fits(fix, edits):
                accepted.append(fix)
        while accepted:
            results = self._results(accepted)
            broken = {path for path, raw in results.items() if raw is None}
            if not broken:
                self.changed = {path: raw for path, raw in results.items() if raw is not None}
                return len(accepted)
            accepted = self._without_breaking(accepted, broken)
        return 0

    def _fits(self, fix: Fix, edits: dict[str, list[Edit]]) -> bool:
        new: list[Edit] = []
        for edit in fix.edits:
            if self._document(edit.path) is None:
                return False
            taken = edits.get(edit.path, [])
            if edit in taken:  # two fixes that add the same import
                continue
            if any(overlap(edit, other) for other in (*taken, *(n for n in new if n.path == edit.path))):
                return False
            new.append(edit)
        for edit in new:
            edits.setdefault(edit.path, []).append(edit)
        return True

    def _results(self, fixes: list[Fix]) -> dict[str, bytes | None]:
        edits: dict[str, dict[Edit, None]] = {}
        for fix in fixes:
            for edit in fix.edits:
                edits.setdefault(edit.path, {})[edit] = None
        results: dict[str, bytes | None] = {}
        for path, wanted in edits.items():
            document = self._document(path)
            results[path] = None if document is None else document.with_edits(list(wanted))
        return results

    def _without_breaking(self, fixes: list[Fix], broken: set[str]) -> list[Fix]:
        """The fixes that leave every file parsing, found one after the other."""
        kept = [fix for fix in fixes if not any(edit.path in broken for edit in fix.edits)]
        for fix in fixes:
            if fix not in kept and all(raw is not None for raw in self._results([*kept, fix]).values()):
                kept.append(fix)
        return kept

    def _document(self, path: str) -> Document | None:
        """None for a file that is not ours to change: not among those checked, not readable, not parsing as it is."""
        if path not in self._documents:
            self._documents[path] = None
            if path in self._files:
                limit = self._files[path].max_file_size
                raw = self._overrides[path] if path in self._overrides else read_bytes(path, limit)
                if isinstance(raw, bytes):
                    document = Document(path, raw)
                    self._documents[path] = document if document.parses(raw) else None
        return self._documents[path]


def overlap(a: Edit, b: Edit) -> bool:
    """Whether two edits of one file cannot both be made."""
    start_a, end_a = (a.line, a.column), (a.end_line, a.end_column)
    start_b, end_b = (b.line, b.column), (b.end_line, b.end_column)
    return start_a == start_b or (start_a < end_b and start_b < end_a)


class Document:
    """A file that edits are applied to: a Python file, or a notebook whose lines are those of its cells' module."""

    def __init__(self, path: str, raw: bytes) -> None:
        self.path = path
        self.raw = raw

    def with_edits(self, edits: list[Edit]) -> bytes | None:
        """The file's new content; None if it would not parse, or an edit does not fit."""
        try:
            raw = self._notebook_edits(edits) if is_notebook(self.path) else self._text_edits(edits)
        except (ValueError, IndexError):  # an encoding that cannot express the text, a position that does not exist
            return None
        return raw if self.parses(raw) else None

    def parses(self, raw: bytes) -> bool:
        if is_notebook(self.path):
            return not notebook.parse(self.path, raw.decode("utf-8-sig")).errors
        try:
            text = textfile.decode(raw).text
        except (SyntaxError, UnicodeError, LookupError):
            return False
        return parses(text)

    def _text_edits(self, edits: list[Edit]) -> bytes:
        file = textfile.decode(self.raw)
        return file.encode(edited(file.raw_text, edits, file.line_end))

    def _notebook_edits(self, edits: list[Edit]) -> bytes:
        raw = self.raw.decode("utf-8-sig")
        document = notebook.load(raw)

        def source(cell: int) -> str:
            return notebook.cell_source(document["cells"][cell - 1])

        found = edits_by_cell(notebook.parse(self.path, raw), source, edits)
        sources = {cell: edited(source(cell), wanted, "\n") for cell, wanted in found.items()}
        return notebook.with_sources(raw, sources).encode("utf-8")


def edits_by_cell(
    module: notebook.Notebook, source_of: Callable[[int], str], edits: Iterable[Edit]
) -> dict[int, list[Edit]]:
    """Edits of a notebook's module as edits of its cells, by the index of each. Raises ValueError for one that no cell
    can have."""
    lines = module.text.split("\n")
    found: dict[int, list[Edit]] = {}
    for edit in edits:
        cell, line = notebook.locate(module.cells, edit.line)
        end_cell, end_line = notebook.locate(module.cells, edit.end_line)
        source = source_of(cell).split("\n")
        if end_cell != cell and edit.end_column == 1 and end_line == 1:  # a whole last line
            end_line = line + (edit.end_line - edit.line) - 1
            end_column = len(source[end_line - 1]) + 1
        elif end_cell != cell:
            raise ValueError("an edit spans cells")
        else:
            end_column = edit.end_column
        if source[line - 1] != lines[edit.line - 1]:
            raise ValueError("an edit of a magic")
        found.setdefault(cell, []).append(Edit(edit.path, line, edit.column, end_line, end_column, edit.text))
    return found


def edited(text: str, edits: Iterable[Edit], line_end: str) -> str:
    """A text with edits applied, which do not overlap. New lines get the given line end."""
    starts = textfile.line_starts(text)
    spans = []
    for edit in edits:
        start = _offset(text, starts, edit.line, edit.column)
        end = _offset(text, starts, edit.end_line, edit.end_column)
        if start > end:
            raise ValueError("an edit ends before it starts")
        spans.append((start, end, textfile.normalised(edit.text).replace("\n", line_end)))
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _offset(text: str, starts: list[int], line: int, column: int) -> int:
    if line == len(starts) + 1 and column == 1:  # just past the last line
        return len(text)
    offset = starts[line - 1] + column - 1
    limit = starts[line] if line < len(starts) else len(text)
    if line < 1 or column < 1 or offset > limit:
        raise IndexError("no such position")
    return offset


def parses(text: str) -> bool:
    """Whether a text is Python: of the running version, or of a newer one that libcst reads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
            return True
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    from analyzer.downlevel import deeply_nested

    if deeply_nested(text):
        return False
    import libcst

    try:
        libcst.parse_module(text)
    except Exception:
        return False
    return True
