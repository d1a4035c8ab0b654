"""What identifies a finding when its line does not: the rule, the function, and the expression in several forms."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from analyzer.finding import Finding
from analyzer.source import SourceText
from analyzer.suppress import ABOUT_SUPPRESSIONS
from analyzer.syntax import Parsed, parse
from capture_lsp.baseline.normal import (
    Outlines,
    WithAttributes,
    hashed,
    meaning,
    names_in,
    numbered,
    outline,
    shortened,
    values,
    written,
)
from capture_lsp.baseline.scopes import Scope, Scopes
from capture_lsp.paths import relative
from capture_lsp.reading import Readable, read_bytes, read_text
from capture_lsp.results import RunResult

_READ_LIMIT = 64_000_000


@dataclass(frozen=True)
class Fingerprint:
    """One finding. `path`: relative to a folder, with `/`; `function`: its qualified name; `expression`: what is
    marked, in one layout; `values`: with the variables put in that have one value; `meaning`: with helpers put in, too;
    `statement`: a hash of the whole statement; `local`: the local names of the function; `outline`: its statements;
    `expanded`: these with variables and helpers put in."""

    code: str
    path: str
    function: str
    expression: str
    values: str
    meaning: str
    statement: str
    local: tuple[str, ...] = ()
    outline: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """A hash for programs that keep track of findings by themselves."""
        return hashed("\0".join((self.code, self.path, self.function, self.expression)))


class Source:
    """One text, asked for the fingerprints of its findings."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._rows = text.split("\n")

    @cached_property
    def tree(self) -> ast.Module | None:
        """What parses of it."""
        parsed = parse(SourceText("", self.text))
        return parsed.tree if isinstance(parsed, Parsed) else None

    @cached_property
    def scopes(self) -> Scopes:
        """Its functions."""
        return Scopes(self.tree if self.tree is not None else ast.Module([], []))

    @cached_property
    def _outlines(self) -> dict[str, Outlines]:
        return {}

    def outline(self, scope: Scope) -> Outlines:
        """`normal.outline`, once for each function."""
        if scope.name not in self._outlines:
            self._outlines[scope.name] = outline(scope, self.scopes)
        return self._outlines[scope.name]

    def outline_of(self, function: str, former: Mapping[str, str]) -> Outlines:
        """The outlines of the function of a qualified name, as if attributes had their former names still."""
        scopes = self.scopes
        if former and self.tree is not None:
            scopes = Scopes(WithAttributes(former).visit(copy.deepcopy(self.tree)))
        return outline(scopes.of(function), scopes) if former else self.outline(scopes.of(function))

    def through(self, function: str, helper: str) -> frozenset[str]:
        """What a function reckons by calling a helper of this text: each part of it, with its local names numbered."""
        scope = self.scopes.of(function)
        called = helper.rpartition(".")[2]
        found: set[str] = set()
        for node in ast.walk(scope.node or ast.Module([], [])):
            if isinstance(node, ast.Call) and called in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
                parts = [part for part in ast.walk(meaning(node, scope, self.scopes)) if isinstance(part, ast.expr)]
                found.update(numbered(written(part), tuple(sorted(scope.local))).text for part in parts)
        return frozenset(found)

    def fingerprint(self, finding: Finding, path: str) -> Fingerprint:
        """The fingerprint of a finding in this text."""
        scope = self.scopes.around(finding.line, finding.end_line)
        node = None if finding.code in ABOUT_SUPPRESSIONS else self._node(finding)
        if node is None:
            marked = shortened(" ".join(self._marked(finding).split()))
            return Fingerprint(finding.code, path, scope.name, marked, marked, marked, hashed(marked))
        expression, statement = node
        forms = expression, values(expression, scope, self.scopes), meaning(expression, scope, self.scopes)
        outlined, expanded = self.outline(scope)
        return Fingerprint(
            finding.code,
            path,
            scope.name,
            written(forms[0]),
            written(forms[1]),
            written(forms[2]),
            hashed(written(statement)),
            tuple(sorted(scope.local if scope.node is not None else names_in(forms) & scope.local)),
            outlined,
            expanded,
        )

    def _marked(self, finding: Finding) -> str:
        rows = self._rows[finding.line - 1 : finding.end_line]
        if not rows:
            return finding.message
        rows[-1] = rows[-1][: finding.end_column - 1]
        rows[0] = rows[0][finding.column - 1 :]
        return "\n".join(rows)

    def _node(self, finding: Finding) -> tuple[ast.AST, ast.AST] | None:
        """The smallest node around what a finding marks, and its statement."""
        start = (finding.line, self._bytes(finding.line, finding.column))
        end = (finding.end_line, self._bytes(finding.end_line, finding.end_column))
        node: ast.AST | None = self.tree
        found: ast.AST | None = None
        statement: ast.AST | None = None
        while node is not None:
            inner = None
            for child in _children(node):
                first = (child.lineno, child.col_offset)  # type: ignore[attr-defined]
                last = (child.end_lineno, child.end_col_offset)  # type: ignore[attr-defined]
                if first <= start and end <= last:
                    inner = child
                    break
            if inner is not None:
                found = inner
                statement = inner if isinstance(inner, ast.stmt) else statement
            node = inner
        if found is None:
            return None
        return _marked_part(found, end), statement or found

    def _bytes(self, line: int, column: int) -> int:
        row = self._rows[line - 1] if 0 < line <= len(self._rows) else ""
        return len(row[: column - 1].encode("utf-8", "surrogatepass"))


def _marked_part(node: ast.AST, end: tuple[int, int]) -> ast.AST:
    """A condition in lines of its own is marked from its statement's keyword on: the part of it that is meant."""
    if not isinstance(node, (ast.If, ast.While, ast.Assert)):
        return node
    for part in ast.walk(node.test):  # outer ones come first
        joined = isinstance(part, ast.BoolOp) or (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not))
        if isinstance(part, ast.expr) and not joined and (part.end_lineno, part.end_col_offset) == end:
            return part
    return node


def _children(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node that have a place; what has none is looked through, and so are the parts of f-strings, which
    have no places of their own before Python 3.12."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.JoinedStr) and not isinstance(child, ast.FormattedValue):
            continue
        if not isinstance(child, ast.FormattedValue) and getattr(child, "end_lineno", None) is not None:
            found.append(child)
        else:
            found += _children(child)
    return found


class Sources:
    """The texts of a run, each read once."""

    def __init__(self, overrides: Mapping[str, bytes], folder: str) -> None:
        """`folder`: what paths are relative to."""
        self._overrides = overrides
        self._folder = folder
        self._known: dict[str, Source] = {}

    def source(self, path: str) -> Source:
        """The text of a file; an empty one where it cannot be read."""
        if path not in self._known:
            raw = self._overrides[path] if path in self._overrides else read_bytes(path, _READ_LIMIT)
            readable = read_text(path, raw) if isinstance(raw, bytes) else None
            self._known[path] = Source(readable.text if isinstance(readable, Readable) else "")
        return self._known[path]

    def fingerprint(self, finding: Finding) -> Fingerprint:
        """The fingerprint of a finding of the run."""
        return self.source(finding.path).fingerprint(finding, relative(finding.path, self._folder))

    def of(self, result: RunResult, which: Callable[[Finding], bool] = lambda finding: True) -> list[Fingerprint]:
        """The fingerprints of a run's findings, in its order."""
        return [self.fingerprint(f) for file in result.files for f in file.findings if which(f)]
