"""A read of tensor data that decides a branch is shown with what the branch does to the frontends not in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.api import Options, analyze

_PROGRAM = """\
import torch


@torch.compile
def fn(x):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "fullgraph", "fx"),
    [
        ("return x + 1 if x[0].item() == 0 else x", "refused", "refused"),
        ("return x * x[0].item()", "captured", "captured"),
    ],
)
def test_branch_on_a_read(tmp_path: Path, body: str, fullgraph: str, fx: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(_PROGRAM.format(body=body), encoding="utf-8")
    (finding,) = analyze([str(path)], Options()).findings
    assert finding.code == "CAP110"
    assert finding.outcomes["dynamo"] == "graph_break"
    assert (finding.outcomes["fullgraph"], finding.outcomes["fx"]) == (fullgraph, fx)
