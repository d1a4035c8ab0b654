"""What a fix would change, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.finding import Edit, Fix
from capture_lsp.fixes import edited
from capture_lsp.project_report import data
from capture_lsp.project_report.sources import Sources


def fix(one: Fix, sources: Sources) -> data.Fix:
    """A fix with the lines that it replaces; without them where an edit does not fit the text."""
    by_path: dict[str, list[Edit]] = {}
    for edit in one.edits:
        by_path.setdefault(edit.path, []).append(edit)
    changes = [change for path, edits in by_path.items() for change in _changes(path, edits, sources)]
    return {"title": one.title, "safety": one.safety, "changes": changes}


def _changes(path: str, edits: Sequence[Edit], sources: Sources) -> list[data.Change]:
    """Edits of lines that touch are one change."""
    rows = sources.lines(path)
    groups: list[list[Edit]] = []
    for edit in sorted(set(edits), key=lambda e: (e.line, e.column)):
        if groups and edit.line <= max(e.end_line for e in groups[-1]):
            groups[-1].append(edit)
        else:
            groups.append([edit])
    found: list[data.Change] = []
    for group in groups:
        first, last = group[0].line, max(edit.end_line for edit in group)
        before = "\n".join(rows[first - 1 : last])
        moved = [
            Edit(e.path, e.line - first + 1, e.column, e.end_line - first + 1, e.end_column, e.text) for e in group
        ]
        try:
            after = edited(before, moved, "\n")
        except (ValueError, IndexError):  # the text is another one by now
            return []
        old, new = before.split("\n"), after.split("\n")
        while old and new and old[-1] == new[-1]:  # what only stands behind an inserted line
            old.pop()
            new.pop()
        start = 0
        while start < min(len(old), len(new)) and old[start] == new[start]:
            start += 1
        found.append({"at": sources.place(path, first + start), "removed": old[start:], "added": new[start:]})
    return found
