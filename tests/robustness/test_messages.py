"""What the rules say of their own examples fits on a line."""

from __future__ import annotations

import pytest

from analyzer.api import Options, Surroundings, analyze, rules

PATH = "/nowhere/m.py"
LIMIT = 90  #: about 80, and long names


@pytest.mark.parametrize("rule", list(rules()), ids=lambda rule: rule.code)
def test_messages_fit_on_a_line(rule: type) -> None:
    for example in getattr(rule, "examples", ()):
        around = Surroundings(frozenset([PATH]), (PATH,))
        report = analyze([PATH], Options(), {PATH: example.source}, None, around)
        for finding in report.findings:
            assert len(finding.message) <= LIMIT, finding.message
            assert "\n" not in finding.message
            assert finding.message == finding.message.strip()
