"""`pages/src/report/data.ts` declares what `capture_lsp/project_report/data.py` writes."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import pytest

from capture_lsp.project_report import data

DECLARED = Path(__file__).parents[2] / "pages/src/report/data.ts"
#: Names that TypeScript has itself.
RENAMED = {"Function": "Function_", "Symbol": "Symbol_"}

WRITTEN = {
    RENAMED.get(name, name): list(typing.get_type_hints(kind))
    for name, kind in vars(data).items()
    if typing.is_typeddict(kind)
}


def declared() -> dict[str, list[str]]:
    text = DECLARED.read_text("utf-8")
    found = re.findall(r"^export interface (\w+) \{\n(.*?)^\}", text, re.S | re.M)
    return {name: re.findall(r"^  (\w+)\??:", body, re.M) for name, body in found}


def test_the_same_types_are_declared() -> None:
    assert list(declared()) == list(WRITTEN)


@pytest.mark.parametrize("name", WRITTEN)
def test_fields_have_the_same_names(name: str) -> None:
    assert declared()[name] == WRITTEN[name]
