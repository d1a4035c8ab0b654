"""What a check gives: per file its findings and errors, and the way from a notebook's lines to its cells."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from analyzer.finding import Edit, FileError, Finding, Fix, Place, RootPlace
from capture_lsp.notebook import Cell

if TYPE_CHECKING:
    from capture_lsp.baseline.fingerprint import Fingerprint


@dataclass(slots=True)
class Unit:
    """What the analysis of one file's roots gave. Its findings may stand in other files; nothing is suppressed yet.

    This is what is cached and what worker processes answer. `dependencies`: the other files that it depends on.
    """

    path: str
    findings: list[Finding] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)
    cells: tuple[Cell, ...] = ()
    dependencies: tuple[str, ...] = ()
    roots: tuple[RootPlace, ...] = ()

    def to_json(self) -> list[Any]:
        return [
            self.path,
            [finding_to_json(f) for f in self.findings],
            [[e.path, e.line, e.kind, e.message] for e in self.errors],
            [[c.index, c.first, c.count] for c in self.cells],
            self.dependencies,
            [[r.label, r.line, r.frontends, r.captured, r.calls] for r in self.roots],
        ]

    @staticmethod
    def from_json(row: list[Any]) -> Unit:
        """The inverse of `to_json`. Raises ValueError, TypeError or IndexError for anything else."""
        path, findings, errors, cells, dependencies, roots = row
        return Unit(
            path,
            [finding_from_json(f) for f in findings],
            [FileError(*e) for e in errors],
            tuple(Cell(*c) for c in cells),
            tuple(dependencies),
            tuple(
                RootPlace(label, line, tuple(frontends), captured, tuple(map(tuple, calls)))
                for label, line, frontends, captured, calls in roots
            ),
        )


@dataclass(slots=True)
class FileResult:
    """One checked file: the findings that stand in it, suppressions and settings applied."""

    path: str
    findings: list[Finding] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)
    cells: tuple[Cell, ...] = ()
    dependencies: tuple[str, ...] = ()
    roots: tuple[RootPlace, ...] = ()  #: what this file has captured; a root may stand in another one
    suppressed: list[Finding] = field(default_factory=list)  #: what comments and settings hide of what was found
    partial: bool = False  #: whether rules that are on by default were not used


@dataclass(slots=True)
class Known:
    """What is known from before: `source` says where from; `findings`: those of the run that are known, and not shown;
    `gone`: those that no longer occur, with paths relative to `folder`."""

    source: str
    findings: list[Finding] = field(default_factory=list)
    gone: list[Fingerprint] = field(default_factory=list)
    folder: str = ""

    def gone_path(self, gone: Fingerprint) -> str:
        """The absolute path of the file that one was in."""
        return os.path.normpath(os.path.join(self.folder, gone.path))


@dataclass(slots=True)
class RunResult:
    """All files of a run, by path."""

    files: list[FileResult]
    torch: tuple[int, int]
    errors: list[FileError] = field(default_factory=list)  #: of paths that are no checked file
    notes: list[str] = field(default_factory=list)
    overrides: dict[str, bytes] = field(default_factory=dict)  #: content that differs from what is on disk
    refuted: list[Finding] = field(default_factory=list)  #: by a probe: JSON has them among the others, text does not
    known: Known | None = None  #: what a baseline took out of the files' findings

    def all_errors(self) -> list[FileError]:
        found = [*self.errors, *(e for f in self.files for e in f.errors)]
        return sorted(found, key=lambda e: (e.path, e.line, e.kind))

    def finding_count(self) -> int:
        return sum(len(f.findings) for f in self.shown().files)

    def shown(self) -> RunResult:
        """The run without the findings that a probe refuted."""
        if not self.refuted:
            return self
        from capture_lsp.merge_probe import refuted

        files = [replace(file, findings=[f for f in file.findings if not refuted(f)]) for file in self.files]
        return replace(self, files=files)


def order(finding: Finding) -> tuple[int, int, str, int, int, str]:
    """The order of the findings of one file."""
    return (finding.line, finding.column, finding.code, finding.end_line, finding.end_column, finding.message)


def by_cost(files: list[FileResult]) -> list[FileResult]:
    """The files and the findings of each, what costs most first; what was not measured keeps its order behind."""

    def gain(finding: Finding) -> float:
        """What is no difference counts as none."""
        cost = finding.cost
        return (
            cost.gain if cost is not None and cost.verdict in ("faster", "slower") else 1.0 if cost is not None else 0.0
        )

    sorted_ = [replace(file, findings=sorted(file.findings, key=gain, reverse=True)) for file in files]
    return sorted(sorted_, key=lambda file: max(map(gain, file.findings), default=0.0), reverse=True)


def finding_to_json(f: Finding) -> list[Any]:
    """A finding as a compact list."""
    return [
        f.code,
        f.name,
        f.path,
        f.line,
        f.column,
        f.end_line,
        f.end_column,
        f.message,
        f.function,
        f.outcomes,
        f.severity,
        f.roots,
        f.count,
        [_place(p) for p in f.provenance],
        [_place(p) for p in f.related],
        list(f.graph_breaks),
        [[x.title, x.safety, [_edit(e) for e in x.edits]] for x in f.fixes],
        f.status,
        f.stale,
        f.in_use,
    ]


def finding_from_json(row: list[Any]) -> Finding:
    """The inverse of `finding_to_json`."""
    return Finding(
        code=row[0],
        name=row[1],
        path=row[2],
        line=row[3],
        column=row[4],
        end_line=row[5],
        end_column=row[6],
        message=row[7],
        function=row[8],
        outcomes=row[9],
        severity=row[10],
        roots=row[11],
        count=row[12],
        provenance=tuple(Place(*p) for p in row[13]),
        related=tuple(Place(*p) for p in row[14]),
        graph_breaks=tuple(row[15]),
        fixes=tuple(Fix(title, safety, tuple(Edit(*e) for e in edits)) for title, safety, edits in row[16]),
        status=row[17],
        stale=row[18],
        in_use=tuple(row[19]),
    )


def _place(p: Place) -> list[Any]:
    return [p.path, p.line, p.column, p.text]


def _edit(e: Edit) -> list[Any]:
    return [e.path, e.line, e.column, e.end_line, e.end_column, e.text]
