"""Rules tell the truth: their examples under the analyzer and under real PyTorch."""

from __future__ import annotations

import pytest

from analyzer.outcome import BAD, RANK
from analyzer.registry import all_rules
from analyzer.rule import Bad, Rule
from tests.truth.analysis import apply_first_fixes, findings_of, frontends_for
from tests.truth.claims import (
    Case,
    bad_claims,
    cases_of,
    may_resume,
    mismatches,
    numbered,
    told,
    without_marks,
)
from tests.truth.client import Pool

pytestmark = pytest.mark.truth
CASES = cases_of(all_rules())
BAD_CASES = [case for case in CASES if case.kind == "bad"]
FIXED_CASES = [case for case in BAD_CASES if isinstance(case.example, Bad) and case.example.fixed]


def of(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_has_examples_with_marks(rule: type[Rule]) -> None:
    cases = cases_of([rule])
    assert {case.kind for case in cases} == {"bad", "good"}, "a rule needs a bad and a good example"
    for case in cases:
        assert bool(case.marked) == (case.kind == "bad"), f"{case.name}: lines to flag end in `# {rule.code}`"


@of(CASES)
def test_analyzer_flags_the_marked_lines(case: Case) -> None:
    found = findings_of(case, case.example.source, frontends_for(case))
    lines = sorted({finding.line for finding in found})
    assert lines == case.marked, (
        f"{case.name}: marked {case.marked}, flagged {lines}\n"
        + "\n".join(f"  {f.line}:{f.column} {f.message}" for f in found)
        + f"\n{numbered(case.example.source)}"
    )


@of(BAD_CASES)
def test_findings_predict_what_is_claimed(case: Case) -> None:
    found = findings_of(case, case.example.source, frontends_for(case))
    wrong = []
    for frontend, claim in case.predictions.items():
        predicted = min((f.outcomes.get(frontend, "captured") for f in found), key=RANK.index, default="captured")
        if predicted == "graph_break" and claim == "skipped_frame" and may_resume(case):
            continue
        if predicted != claim:
            wrong.append(f"{frontend}: claimed {claim}, predicted {predicted}")
    assert not wrong, f"{case.name}:\n  " + "\n  ".join(wrong) + f"\n{numbered(case.example.source)}"


@of(CASES)
def test_pytorch_bears_out_the_claims(case: Case, judges: Pool) -> None:
    if not case.claims:
        return  # nothing that a machine without a GPU can judge
    wrong = mismatches(case, judges.judge(case.request())["verdicts"])
    calls = "; ".join([case.example.inputs, *case.example.variants])
    program = f"{case.example.entry} called with {calls}\n{numbered(case.example.source)}"
    assert not wrong, f"{case.name}:\n  " + "\n  ".join(wrong) + f"\n{program}"


@of(BAD_CASES)
def test_first_fix_gives_the_fixed_program(case: Case) -> None:
    example = case.example
    assert isinstance(example, Bad)
    found = findings_of(case, example.source, frontends_for(case))
    if not example.fixed:
        offered = [fix.title for finding in found for fix in finding.fixes]
        assert not offered, f"{case.name} says that there is no fix, but the rule offers {offered}"
        return
    assert any(finding.fixes for finding in found), f"{case.name}: no fix offered\n{numbered(example.source)}"
    got, wanted = without_marks(apply_first_fixes(example.source, found)), without_marks(example.fixed)
    assert got == wanted, f"{case.name}: the fix gives\n{numbered(got)}\nnot\n{numbered(wanted)}"


@of(FIXED_CASES)
def test_fixed_program_computes_the_same_and_is_better(case: Case, judges: Pool) -> None:
    example = case.example
    assert isinstance(example, Bad)
    found = findings_of(case, example.source, frontends_for(case))
    fixed = apply_first_fixes(example.source, found)
    claimed_bad = bad_claims(case)
    verdicts = judges.judge(case.fixed_request(claimed_bad, fixed))["verdicts"]
    if all(finding.fixes[0].safety == "safe" for finding in found if finding.fixes):
        same = verdicts["same"]
        assert same["outcome"] == "captured", (
            f"{case.name}: the safe fix changes results: {told(same)}\n{numbered(fixed)}"
        )
    better = [f for f in claimed_bad if verdicts[f]["outcome"] not in BAD]
    assert better or not claimed_bad, (
        f"{case.name}: the fix helps under no frontend\n  "
        + "\n  ".join(f"{f}: {told(verdicts[f])}" for f in claimed_bad)
        + f"\n{numbered(fixed)}"
    )
