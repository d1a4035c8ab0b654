"""Suppression comments to add: where they go in a text, and `check --add-ignores`, which adds them for all findings."""

from __future__ import annotations

import tokenize
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from analyzer.finding import Edit
from analyzer.source import tokens
from analyzer.suppress import ABOUT_SUPPRESSIONS, Suppression, find
from capture_lsp.config.settings import Settings
from capture_lsp.fixes import Document
from capture_lsp.reading import Readable, read_bytes, read_text
from capture_lsp.results import FileResult, RunResult

_BETWEEN = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


@dataclass(frozen=True)
class Lines:
    """The logical lines of a text, (first, last) each, and the suppressions that are in it."""

    rows: Sequence[str]
    logical: Sequence[tuple[int, int]]
    known: Sequence[Suppression]

    @staticmethod
    def of(text: str) -> Lines | None:
        """None for a text that cannot be split into tokens."""
        logical = []
        first = 0
        try:
            for token in tokens(text):
                if token.type == tokenize.NEWLINE:
                    logical.append((first or token.start[0], token.start[0]))
                    first = 0
                elif not first and token.type not in _BETWEEN:
                    first = token.start[0]
        except (tokenize.TokenError, SyntaxError, ValueError):
            return None
        return Lines(text.split("\n"), logical, find(text))

    def around(self, line: int) -> tuple[int, int] | None:
        """The logical line that a line belongs to."""
        return next((one for one in self.logical if one[0] <= line <= one[1]), None)

    def ignoring(
        self,
        path: str,
        line: int,
        codes: Iterable[str],
        reason: str = "",
        expired: Callable[[Suppression], bool] = lambda known: False,
    ) -> Edit | None:
        """A comment at the end of the logical line, or further codes in the comment that is there. One that is expired
        is replaced."""
        place = self.around(line)
        if place is None:
            return None
        wanted = list(dict.fromkeys(codes))
        comment = f"# capture: ignore[{', '.join(wanted)}]" + (f" -- {reason}" if reason else "")
        for known in self.known:
            if place[0] <= known.line <= place[1] and known.last < 10**9:
                row = self.rows[known.line - 1]
                if expired(known):
                    end = len(row[: known.end].rstrip())
                    return Edit(path, known.line, known.start + 1, known.line, end + 1, comment)
                if known.codes is not None:
                    close = row.index("]", known.start)
                    added = ", ".join(code for code in wanted if code not in known.codes)
                    joined = f"{', ' if known.codes and added else ''}{added}"
                    return Edit(path, known.line, close + 1, known.line, close + 1, joined)
        row = self.rows[place[1] - 1]
        return Edit(path, place[1], len(row.rstrip()) + 1, place[1], len(row) + 1, f"  {comment}")


@dataclass(frozen=True)
class Added:
    """The new content of each file that gets comments, how many findings these suppress, and how many are left."""

    changed: Mapping[str, bytes]
    suppressed: int
    left: int


def add_ignores(result: RunResult, files: Mapping[str, Settings], reason: str) -> Added:
    """Suppress every finding of a run where it stands."""
    changed: dict[str, bytes] = {}
    suppressed = left = 0
    for file in result.files:
        wanted = [f for f in file.findings if f.code not in ABOUT_SUPPRESSIONS]
        if not wanted:
            continue
        raw = result.overrides.get(file.path) or read_bytes(file.path, files[file.path].max_file_size)
        new = _with_comments(file, raw, reason, result.torch) if isinstance(raw, bytes) else None
        if new is None:
            left += len(wanted)
        else:
            suppressed += len(wanted)
            changed[file.path] = new
    return Added(changed, suppressed, left)


def _with_comments(file: FileResult, raw: bytes, reason: str, torch: tuple[int, int]) -> bytes | None:
    readable = read_text(file.path, raw)
    lines = Lines.of(readable.text) if isinstance(readable, Readable) else None
    if lines is None:
        return None
    codes: dict[tuple[int, int], list[str]] = {}
    for finding in file.findings:
        place = lines.around(finding.line)
        if finding.code in ABOUT_SUPPRESSIONS:
            continue
        if place is None:
            return None
        codes.setdefault(place, []).append(finding.code)

    def expired(known: Suppression) -> bool:
        return known.expired(torch)

    edits = [lines.ignoring(file.path, first, found, reason, expired) for (first, _), found in codes.items()]
    return Document(file.path, raw).with_edits([edit for edit in edits if edit is not None])
