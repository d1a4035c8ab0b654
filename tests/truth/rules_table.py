"""The table of `python -m tests.truth CAP101`: claims and reality side by side, and what the analyzer flags."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.registry import all_rules
from analyzer.rule import Bad
from tests.truth.__main__ import describe
from tests.truth.analysis import apply_first_fixes, findings_of, frontends_for
from tests.truth.claims import Case, borne_out, cases_of, mismatches, numbered, without_marks
from tests.truth.client import Pool


def print_rules(codes: Sequence[str], frontends: Sequence[str] | None, verbose: bool = False) -> int:
    """Print the examples of the rules whose code begins with one of `codes`; 1 if anything is not as claimed."""
    cases = [c for c in cases_of(all_rules()) if c.rule.code.startswith(tuple(codes))]
    if not cases:
        print(f"no rule with examples for {', '.join(codes)}")
        return 2
    wrong = 0
    with Pool(2) as pool:
        for case in cases:
            pool.ask(_request(case, frontends))
        for case in cases:
            wrong += _print_case(case, pool, frontends, verbose)
    print(f"\n{len(cases)} examples, {wrong} not as claimed")
    return 1 if wrong else 0


def _request(case: Case, frontends: Sequence[str] | None) -> dict[str, object]:
    request = case.request()
    return {**request, "frontends": list(frontends)} if frontends else request


def _print_case(case: Case, pool: Pool, frontends: Sequence[str] | None, verbose: bool) -> bool:
    verdicts = pool.judge(_request(case, frontends))["verdicts"]
    claims = case.claims
    for_all = set(claims) <= set(verdicts)
    failures = mismatches(case, verdicts) if for_all else []
    failures += _analysis_failures(case)
    title = f" {case.example.title}" if case.example.title else ""
    calls = "; ".join([case.example.inputs, *case.example.variants])
    print(f"\n{case.name}{title}  entry {case.example.entry}  calls {calls}")
    if failures or verbose:
        print(numbered(case.example.source))
    for frontend, verdict in verdicts.items():
        claim = claims.get(frontend)
        as_claimed = claim is None or borne_out(claim, verdict)
        text = describe(frontend, verdict, claim or "-", as_claimed)
        print(text if failures or verbose else text.splitlines()[0])
    for failure in failures:
        print(f"  ! {failure}")
    return bool(failures)


def _analysis_failures(case: Case) -> list[str]:
    try:
        found = findings_of(case, case.example.source, frontends_for(case))
    except ImportError as error:
        return [f"the analyzer does not run: {error}"]
    except Exception as error:  # an analyzer under construction must not hide what PyTorch did
        return [f"the analyzer failed: {type(error).__name__}: {error}"]
    failures = []
    lines = sorted({finding.line for finding in found})
    if lines != case.marked:
        failures.append(f"marked {case.marked}, flagged {lines}")
    if isinstance(case.example, Bad) and case.example.fixed:
        got = without_marks(apply_first_fixes(case.example.source, found))
        if got != without_marks(case.example.fixed):
            failures.append(f"the first fix gives\n{numbered(got)}")
    return failures
