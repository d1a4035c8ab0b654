"""A statement in the place of several: comments are kept, long calls are broken into lines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from analyzer.finding import Edit
from analyzer.fixes.code import Code

WIDTH = 120


def replaced(code: Code, first: ast.stmt, last: ast.stmt, statement: str, kept: Iterable[ast.AST]) -> Edit:
    """`statement` instead of what lies between two statements. `kept`: the nodes whose text it still holds.

    A comment on the first line stays behind the statement; the others come before it, in lines of their own.
    """
    start, end = code.start(first), code.end(last)
    spans = [(code.start(n), code.end(n)) for n in kept]
    indent = code.indent(start)
    head_line = code.position(start)[0]
    above, behind = [], ""
    for offset, text in code.comments:
        if start <= offset < end and not any(a <= offset < b for a, b in spans):
            if code.position(offset)[0] == head_line:
                behind = f"  {text}"
            else:
                above.append(f"{text}\n{indent}")
    return code.edit(start, end, "".join(above) + statement + behind)


def called(function: str, arguments: Sequence[str], indent: str, unit: str, before: str = "") -> str:
    """`before function(arguments)`, one argument a line if it would be too long."""
    line = f"{before}{function}({', '.join(arguments)})"
    if len(indent) + len(line) <= WIDTH or any("\n" in a for a in arguments):
        return line
    rows = "".join(f"{indent}{unit}{a},\n" for a in arguments)
    return f"{before}{function}(\n{rows}{indent})"
