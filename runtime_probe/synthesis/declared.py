"""Inputs that a file says itself: a comment above a function or class, or a function `capture_inputs`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import Dict, List, Optional, Tuple

from runtime_probe.subject import LoadedFile
from runtime_probe.synthesis.argument import keyword_text

_COMMENT = re.compile(r"#\s*capture:\s*inputs\((.*)\)\s*$")
_FUNCTION = "capture_inputs"


def declared_inputs(source: str) -> Dict[str, List[str]]:
    """Qualified name → calls, from comments `# capture: inputs(x, mask=None)` on the lines above a `def`, a `class` or
    their decorators. A comment is one call, written as the call is; several comments are several calls, the first the
    capturing one. Each call is an expression: a tuple of positional arguments or a dict of keyword arguments.

    Raises SyntaxError, with the line, for a comment whose arguments cannot be read.
    """
    comments: Dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            match = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
            if match and not token.line[: token.start[1]].strip():
                comments[token.start[0]] = match.group(1)
    except (tokenize.TokenError, IndentationError):
        return {}
    if not comments:
        return {}
    lines = source.splitlines()
    found: Dict[str, List[str]] = {}
    for name, first, node in _definitions(ast.parse(source), ""):
        calls: List[str] = []
        line = first - 1
        while line >= 1 and lines[line - 1].strip().startswith("#"):
            if line in comments:
                calls.insert(0, _call(comments[line], line, node))
            line -= 1
        if calls:
            found[name] = calls
    return found


def _definitions(tree: ast.AST, prefix: str) -> List[Tuple[str, int, ast.AST]]:
    found: List[Tuple[str, int, ast.AST]] = []
    for node in getattr(tree, "body", []):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.append((prefix + node.name, first, node))
            if isinstance(node, ast.ClassDef):
                found += _definitions(node, prefix + node.name + ".")
    return found


def _call(arguments: str, line: int, node: ast.AST) -> str:
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
    except SyntaxError as error:
        raise SyntaxError(f"line {line}: the inputs of this comment cannot be read: inputs({arguments})") from error
    assert isinstance(call, ast.Call)
    positional = [ast.unparse(a) for a in call.args]
    if not call.keywords:
        return "(" + ", ".join(positional) + ("," if len(positional) == 1 else "") + ")"
    names = _parameter_names(node)
    if len(positional) > len(names):
        raise SyntaxError(f"line {line}: more inputs than {getattr(node, 'name', 'it')} has parameters")
    named = dict(zip(names, positional))
    named.update({k.arg: ast.unparse(k.value) for k in call.keywords if k.arg})
    return f"dict({keyword_text(named)})"


def _parameter_names(node: ast.AST) -> List[str]:
    """The parameters of a function, or of a class's `forward` or `__call__`, without self."""
    if isinstance(node, ast.ClassDef):
        methods = {m.name: m for m in node.body if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef))}
        found = methods.get("forward") or methods.get("__call__")
        return _parameter_names(found) if found is not None else []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [a.arg for a in [*node.args.posonlyargs, *node.args.args] if a.arg not in ("self", "cls")]
    return []


def capture_inputs(file: LoadedFile, entries: List[str]) -> Optional[Dict[str, List[str]]]:
    """What the file's `capture_inputs()` says: entry → calls, as expressions that call it anew each time. It returns a
    dict from entry to the inputs of one call (a tuple, a dict, or one value), or those inputs alone for the first of
    `entries`. None where the file has no such function."""
    function = getattr(file.module, _FUNCTION, None)
    if not callable(function):
        return None
    value = function()
    if isinstance(value, dict) and value and all(isinstance(k, str) and _is_entry(file, k) for k in value):
        return {name: [f"{_FUNCTION}()[{name!r}]"] for name in value}
    return {entries[0]: [f"{_FUNCTION}()"]} if entries else {}


def _is_entry(file: LoadedFile, name: str) -> bool:
    try:
        return callable(file.evaluate(name))
    except Exception:
        return False
