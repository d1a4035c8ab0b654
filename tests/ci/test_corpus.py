"""The examples against their own baselines, with every name of theirs renamed, and against those of other programs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from capture_lsp.baseline.compare import Compared, compare
from capture_lsp.baseline.fingerprint import Fingerprint, Sources
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Resolver
from capture_lsp.results import RunResult

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
FOLDER = "/nowhere"
PATH = f"{FOLDER}/m.py"


def checked(text: str) -> tuple[RunResult, Sources]:
    """The findings of a program, as if it stood in one file."""
    overrides = {PATH: text.encode("utf-8")}
    settings = Resolver(FOLDER, {"target-torch": (2, 13), "roots": "forward"}).for_folder(FOLDER)
    return check({PATH: settings}, Run(jobs=1, overrides=overrides)), Sources(overrides, FOLDER)


def against(text: str, known: list[Fingerprint]) -> Compared:
    result, sources = checked(text)
    return compare(result, known, sources, FOLDER)


def new(found: Compared) -> list[tuple[str, str, str]]:
    pairs = zip(found.fingerprints, found.matched)
    return [(f.code, f.function, f.expression) for f, known_as in pairs if known_as is None]


@pytest.mark.slow
def test_findings_of_another_program_are_new() -> None:
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    baselines = [sources.of(result) for result, sources in map(checked, texts)]
    assert sum(map(len, baselines)) > 40
    for number, text in enumerate(texts):
        for other, known in enumerate(baselines):
            found = against(text, known)
            assert len(new(found)) == (0 if number == other else len(found.matched))


def names(text: str) -> Iterator[str]:
    """What a program gives names to, but not what others call by name, nor what its texts mention."""
    tree = ast.parse(text)
    strings = " ".join(n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
    used = set(re.findall(r"\w+", strings))
    return (n for n in sorted(found) if n not in ("forward", "self", "_") and not n.startswith("__") and n not in used)


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_name_renamed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result, sources = checked(text)
    known = sources.of(result)
    wrong = []
    for name in names(text):
        found = against(re.sub(rf"\b{name}\b", f"{name}_too", text), known)
        # A name of torch's that the program has as well may make other findings.
        if new(found) and len(found.matched) == len(known):
            wrong.append((name, new(found)))
    assert wrong == []
