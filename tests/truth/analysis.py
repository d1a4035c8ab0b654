"""What the analyzer finds in an example, and its fixes applied. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.api import Options, Report, analyze
from analyzer.finding import Edit, Finding
from analyzer.outcome import FRONTENDS, Frontend
from tests.truth.claims import Case, root_of

PATH = "/example/program.py"


def report_on(case: Case, source: str, frontends: Sequence[Frontend]) -> Report:
    """The analyzer's report on a program with the example's entry as a root, as far as it names one."""
    root = root_of(case.example.entry, source)
    options = Options(
        frontends=tuple(frontends),
        roots="auto",
        extra_roots=(f"{PATH}::{root}",) if root else (),
        torch=case.target,
        select=() if case.rule.default else (case.rule.code,),
    )
    return analyze([PATH], options, {PATH: source})


def frontends_for(case: Case) -> tuple[Frontend, ...]:
    """All frontends; for a good example without those under which it is itself said to go wrong."""
    if case.kind == "bad":
        return FRONTENDS
    wrong = {f for f, o in case.example.outcomes.items() if o not in ("captured", "guarded")}
    return tuple(f for f in FRONTENDS if f not in wrong)


def findings_of(case: Case, source: str, frontends: Sequence[Frontend]) -> list[Finding]:
    """The findings of the example's rule, in the order of the text."""
    report = report_on(case, source, frontends)
    assert not report.errors, f"the analyzer could not check {case.name}: {report.errors}"
    own = [f for f in report.findings if f.code == case.rule.code and f.path == PATH]
    return sorted(own, key=lambda f: (f.line, f.column))


def apply_first_fixes(source: str, findings: Sequence[Finding]) -> str:
    """The program with the first fix of every finding applied; edits that two fixes share are applied once."""
    edits = {e for f in findings for e in (f.fixes[0].edits if f.fixes else ())}
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offsets(edit: Edit) -> tuple[int, int]:
        return starts[edit.line - 1] + edit.column - 1, starts[edit.end_line - 1] + edit.end_column - 1

    for edit in sorted(edits, key=offsets, reverse=True):
        begin, end = offsets(edit)
        source = source[:begin] + edit.text + source[end:]
    return source
