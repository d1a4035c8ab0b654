"""What the analyzer says of the files that are probed: its fixes are measured."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from analyzer.finding import Finding
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Settings
from capture_lsp.probe.targets import Target


def of_targets(targets: Iterable[Target], settings: Mapping[str, Settings]) -> list[Finding]:
    """The findings of the files, each named entry taken for captured."""
    roots: dict[str, list[str]] = {}
    for target in targets:
        if target.path.endswith(".py") and os.path.isfile(target.path):
            roots.setdefault(target.path, []).extend(f"{target.path}::{name}" for name in names_of(target.entry))
    files = {path: _with_roots(settings[path], found) for path, found in roots.items()}
    if not files:
        return []
    return [finding for file in check(files, Run(("dynamo",), jobs=1)).files for finding in file.findings]


def names_of(entry: str | None) -> list[str]:
    """The functions that an entry may stand for: `Net(16).encode` is `Net.encode`, `Net(16)` is `Net.forward`."""
    if entry is None:
        return []
    try:
        node: ast.expr = ast.parse(entry, mode="eval").body
    except (SyntaxError, ValueError):
        return []
    parts: list[str] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return []
    name = ".".join((node.id, *parts))
    return [name, f"{name}.forward"]


def _with_roots(settings: Settings, roots: list[str]) -> Settings:
    return replace(settings, extra_roots=(*settings.extra_roots, *roots))
