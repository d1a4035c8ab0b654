"""`analyze` finds the faults of the examples, and says nothing about any other line."""

from __future__ import annotations

import pytest

from analyzer.api import Options, analyze
from analyzer.finding import Finding
from tests.examples.expected import EXAMPLES, Fault, Program, programs

PROGRAMS = programs()


def findings_of(program: Program) -> dict[tuple[str, int], list[Finding]]:
    """What is found in the program, by file and line, judged by the frontends that the program itself uses."""
    options = Options(search_paths=tuple(str(EXAMPLES / path) for path in program.search_paths))
    report = analyze([str(EXAMPLES / path) for path in program.files], options)
    assert not report.errors
    found: dict[tuple[str, int], list[Finding]] = {}
    for finding in report.findings:
        path = finding.path.removeprefix(f"{EXAMPLES}/")
        found.setdefault((path, finding.line), []).append(finding)
    return found


def told(fault: Fault, findings: list[Finding]) -> bool:
    return any(finding.outcomes.get(fault.frontend) == fault.outcome for finding in findings)  # type: ignore[call-overload]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.run)
def test_every_fault_is_found_under_its_frontend(program: Program) -> None:
    found = findings_of(program)
    missed = [
        f"{fault.path}:{fault.line} {fault.frontend} {fault.outcome}: {fault.text}"
        + "".join(f"\n    told as {f.code} {dict(f.outcomes)}" for f in found.get((fault.path, fault.line), []))
        for fault in program.faults
        if fault.known_miss is None and not told(fault, found.get((fault.path, fault.line), []))
    ]
    assert not missed, "\n".join(["not found:", *missed])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.run)
def test_no_other_line_is_flagged(program: Program) -> None:
    allowed = {(fault.path, fault.line) for fault in program.faults} | program.may
    wrong = [
        f"{path}:{line} {finding.code} {finding.message}"
        + (" (a look-alike)" if (path, line) in program.look_alikes else "")
        for (path, line), findings in sorted(findings_of(program).items())
        for finding in findings
        if (path, line) not in allowed
    ]
    assert not wrong, "\n".join(["wrongly flagged:", *wrong])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.run)
def test_known_misses_are_still_missed(program: Program) -> None:
    found = findings_of(program)
    outdated = [f.text for f in program.faults if f.known_miss and told(f, found.get((f.path, f.line), []))]
    assert not outdated, "found after all, so no longer a known miss: " + "; ".join(outdated)


def test_every_example_has_expectations() -> None:
    written = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py")}
    assert written == {path for program in PROGRAMS for path in program.files}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.run)
def test_no_look_alike_is_also_a_fault(program: Program) -> None:
    assert not program.look_alikes & ({(fault.path, fault.line) for fault in program.faults} | program.may)
