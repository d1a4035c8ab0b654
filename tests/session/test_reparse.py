"""After each edit, the tree that is spliced together is that of a fresh parse, with the same errors."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from analyzer.api import Options
from analyzer.incremental.engine import SessionEngine
from analyzer.project import ModuleInfo
from analyzer.recovery import Parsed
from analyzer.source import SourceText
from analyzer.syntax import parse

from .edits import Editor

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
EDITS = 30


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_random_edits(example: Path) -> None:
    path, editor = str(example), Editor(example.read_text(encoding="utf-8"), seed=11)
    engine = _engine(path, editor.text)
    spliced = 0
    for number in range(EDITS):
        before = editor.text
        kind = editor.edit()
        known = engine.change(path, editor.text)
        spliced += known
        if not known:
            engine = _engine(path, editor.text)
        fresh = parse(SourceText(path, editor.text))
        module = engine.project.load(path)
        where = f"edit {number} ({kind}) of\n{before}"
        if not isinstance(fresh, Parsed):
            assert not isinstance(module, ModuleInfo), where
            continue
        assert isinstance(module, ModuleInfo), where
        assert module.errors == fresh.errors, where
        assert _same(module.tree, fresh.tree), where
    assert spliced > 3


def _same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two trees are the same, positions included."""
    return ast.dump(one, include_attributes=True) == ast.dump(other, include_attributes=True)


def _engine(path: str, text: str) -> SessionEngine:
    engine = SessionEngine(Options(), frozenset((path,)))
    engine.project.sources[path] = text
    engine.project.load(path)
    return engine
