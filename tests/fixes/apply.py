"""Findings of a text and its fixes applied; what else a fix may change is compared here."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Sequence

from analyzer.api import Options, analyze
from analyzer.finding import Edit, Finding
from analyzer.outcome import Frontend
from capture_lsp.fixes import edited

PATH = "/fixes/program.py"


def findings_of(text: str, code: str, frontends: Sequence[Frontend] = ("dynamo",)) -> list[Finding]:
    """The findings of one rule, every function of the file being a root."""
    options = Options(frontends=tuple(frontends), extra_roots=tuple(roots_of(text)), select=(code,))
    report = analyze([PATH], options, {PATH: text})
    assert not report.errors, (report.errors, text)
    return [f for f in report.findings if f.code == code]


def roots_of(text: str) -> list[str]:
    """Every function and method of a text, as `--root` names them."""
    found = []
    for stmt in ast.parse(text).body:
        body = stmt.body if isinstance(stmt, (ast.If, ast.ClassDef)) else [stmt]
        prefix = f"{stmt.name}." if isinstance(stmt, ast.ClassDef) else ""
        found += [f"{PATH}::{prefix}{s.name}" for s in body if isinstance(s, ast.FunctionDef) and s.name != "__init__"]
    return found


def applied(text: str, edits: Sequence[Edit]) -> str:
    """A text with edits applied, equal ones once."""
    return edited(text, dict.fromkeys(edits), "\n")


def first_fixes(text: str, findings: Sequence[Finding], choice: int = 0) -> str:
    """A text with one fix of every finding applied."""
    return applied(text, [e for f in findings for e in (f.fixes[choice].edits if len(f.fixes) > choice else ())])


def comments(text: str) -> Counter[str]:
    """Every comment of a text, counted."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(part.strip("# ") for t in tokens if t.type == tokenize.COMMENT for part in t.string.split("  #"))


class _Unguarded(ast.NodeTransformer):
    """Takes `if not torch.compiler.is_compiling()` away again."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if _is_guard(node.test):
            return node.body
        if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) and _is_guard(node.test.values[0]):
            rest = node.test.values[1:]
            node.test = rest[0] if len(rest) == 1 else ast.BoolOp(ast.And(), rest)
        return node


def _is_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and ast.unparse(test).endswith(".compiler.is_compiling()")


def unguarded(text: str) -> str:
    """The program's tree without guards and without a plain `import torch`, as text."""
    tree = _Unguarded().visit(ast.parse(text))
    tree.body = [s for s in tree.body if ast.unparse(s) != "import torch"]
    return ast.dump(tree)
