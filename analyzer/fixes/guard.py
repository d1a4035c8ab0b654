"""What only tells (print, logging, warnings) put behind `if not torch.compiler.is_compiling():`."""

from __future__ import annotations

import ast
import re

from analyzer.finding import Edit, Fix
from analyzer.fixes.code import Code
from analyzer.fixes.imports import torch_name
from analyzer.fixes.purity import movable, pure
from analyzer.project import dotted

_LOGGER = re.compile(r"(^|[._])(log|logger|logging)$", re.IGNORECASE)
#: Without any of these no string goes over lines, which spares splitting the file into tokens.
_LONG_STRING = re.compile(r'"""|\'\'\'|\\\n|\{[^}]*\n')
_METHODS = frozenset("debug info warning warn error exception critical log warning_once info_once".split())
_FUNCTIONS = frozenset({"print", "pprint", "pprint.pprint", "warnings.warn", "sys.stdout.write", "sys.stderr.write"})


def guard_fix(code: Code, node: ast.AST, *, tells: bool = False, sure: bool = True) -> Fix | None:
    """Guard the statement around a node, together with its neighbours of the same kind.

    `tells`: the node is known to be such a call; not `sure`: a compiled run may need it. Else its statement must look
    like one, or must only compute what one shows. Eager runs do the same as before; unsafe only where an argument may
    do more than compute.
    """
    statement = code.statement(node)
    if statement is None or code.function(statement) is None or _guarded(code, statement):
        return None
    if isinstance(statement, ast.If):
        if not (_only_tells(statement) and any(n is node for n in ast.walk(statement.test))):
            return None
        group: list[ast.stmt] = [statement]
    else:
        group = _group(code, statement, node if tells else None)
    if not group:
        return None
    torch = torch_name(code, statement)
    if torch is None:
        return None
    name, imports = torch
    outer = _outermost(code, group)
    test = f"not {name}.compiler.is_compiling()"
    edits: tuple[Edit, ...]
    parts: list[ast.stmt]
    if outer is not None:
        edits, parts = _into_test(code, outer, test), [outer]
    else:
        wrapped = _wrapped(code, group, f"if {test}:")
        if wrapped is None:
            return None
        edits, parts = (wrapped,), group
    safety = "safe" if sure and all(_computes_only(part) for part in parts) else "unsafe"
    return Fix(f"do this only when not compiling: if {test}", safety, (*imports, *edits))  # type: ignore[arg-type]


def _guarded(code: Code, statement: ast.stmt) -> bool:
    """Whether it already stands behind such a test: what is left to say is of another frontend."""
    current: ast.AST | None = statement
    while current is not None:
        if isinstance(current, ast.If) and "is_compiling" in ast.dump(current.test):
            return True
        current = code.parents.get(current)
    return False


# -- what tells ---------------------------------------------------------------------------------------------------


def tells_something(stmt: ast.stmt) -> bool:
    """A statement that prints, logs or warns and does nothing else, as far as its text tells."""
    if isinstance(stmt, ast.If):
        return _only_tells(stmt)
    if not isinstance(stmt, ast.Expr) or not isinstance(stmt.value, ast.Call) or not movable(stmt):
        return False
    name = dotted(stmt.value.func) or ""
    head, _, tail = name.rpartition(".")
    return name in _FUNCTIONS or tail in _METHODS and bool(_LOGGER.search(head))


def _only_tells(stmt: ast.If) -> bool:
    return not stmt.orelse and movable(stmt.test) and pure(stmt.test) and all(tells_something(s) for s in stmt.body)


def _computes_only(stmt: ast.stmt) -> bool:
    if isinstance(stmt, ast.If):
        return pure(stmt.test) and all(_computes_only(s) for s in stmt.body)
    if isinstance(stmt, ast.Assign):
        return pure(stmt.value)
    if not isinstance(stmt, ast.Expr) or not isinstance(stmt.value, ast.Call):
        return False
    call = stmt.value
    return all(pure(a) for a in call.args) and all(pure(k.value) for k in call.keywords)


# -- which statements go together ---------------------------------------------------------------------------------


def _group(code: Code, seed: ast.stmt, told: ast.AST | None) -> list[ast.stmt]:
    """The run of telling statements around one, with the assignments that only they read. `told`: a call that tells."""
    block = code.block(seed)
    function = code.function(seed)
    here = block.index(seed)
    known = told is not None and isinstance(seed, ast.Expr) and seed.value is told and movable(seed)

    def belongs(index: int, group: range) -> bool:
        stmt = block[index]
        if tells_something(stmt) and not isinstance(stmt, ast.If) or known and stmt is seed:
            return True
        return function is not None and _feeds_only(code, function, stmt, [block[i] for i in group])

    low, high = here, here
    while low > 0 and _may_belong(block[low - 1]):
        low -= 1
    while high + 1 < len(block) and _may_belong(block[high + 1]):
        high += 1
    while True:
        group = range(low, high + 1)
        outside = [i for i in group if not belongs(i, group)]
        if not outside:
            break
        if here in outside:
            return []
        low = max([i + 1 for i in outside if i < here], default=low)
        high = min([i - 1 for i in outside if i > here], default=high)
    found = block[low : high + 1]
    return found if known or any(tells_something(s) for s in found) else []


def _may_belong(stmt: ast.stmt) -> bool:
    if isinstance(stmt, ast.Assign):
        return len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Name) and pure(stmt.value) and movable(stmt)
    return tells_something(stmt) and not isinstance(stmt, ast.If)


def _feeds_only(code: Code, function: ast.AST, stmt: ast.stmt, group: list[ast.stmt]) -> bool:
    """Whether an assignment's name is read in the statements that follow it in the group, and nowhere else."""
    if not isinstance(stmt, ast.Assign) or not _may_belong(stmt):
        return False
    target = stmt.targets[0]
    assert isinstance(target, ast.Name)
    after = {n for s in group[group.index(stmt) + 1 :] for n in ast.walk(s)}
    reads = 0
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and target.id in node.names:
            return False
        if isinstance(node, ast.arg) and node.arg == target.id:
            return False
        if isinstance(node, ast.Name) and node.id == target.id and node is not target:
            if not isinstance(node.ctx, ast.Load) or node not in after:
                return False
            reads += 1
    return reads > 0


def _outermost(code: Code, group: list[ast.stmt]) -> ast.If | None:
    """The outermost `if` that holds nothing but the group: its test can take the condition."""
    found: ast.If | None = None
    current: ast.AST = group[0]
    if isinstance(current, ast.If):
        found = current
    else:
        parent = code.parents.get(current)
        if isinstance(parent, ast.If) and parent.body == group and not parent.orelse and _testable(parent):
            found = current = parent
    while found is not None:
        parent = code.parents.get(current)
        alone = isinstance(parent, ast.If) and parent.body == [current] and not parent.orelse
        if not alone or not isinstance(parent, ast.If) or not _testable(parent):
            break
        found = current = parent
    return found


def _testable(stmt: ast.If) -> bool:
    return movable(stmt.test) and pure(stmt.test)


# -- the edit -----------------------------------------------------------------------------------------------------


def _into_test(code: Code, stmt: ast.If, test: str) -> tuple[Edit, ...]:
    """`if test:` → `if not compiling and test:`; nothing is indented anew."""
    start, end = code.start(stmt.test), code.end(stmt.test)
    keyword = 4 if code.text.startswith("elif", code.start(stmt)) else 2
    opening = code.text[code.start(stmt) + keyword : start]
    begin = code.start(stmt) + keyword + len(opening) - len(opening.lstrip())
    if isinstance(stmt.test, (ast.BoolOp, ast.IfExp)) and "(" not in opening:
        if isinstance(stmt.test, ast.IfExp) or isinstance(stmt.test.op, ast.Or):
            return code.edit(start, start, f"{test} and ("), code.edit(end, end, ")")
    gap = "" if opening[:1].isspace() or opening.startswith("\\") else " "
    return (code.edit(begin, begin, f"{gap}{test} and "),)


def _wrapped(code: Code, group: list[ast.stmt], header: str) -> Edit | None:
    """The group behind a header, in lines of its own."""
    first, last = group[0], group[-1]
    block = code.block(first)
    before, after = block.index(first) - 1, block.index(last) + 1
    start, end = code.start(first), code.end(last)
    unit = code.unit(first)
    lead = tail = ""
    opener = _opener(code, block)
    if opener is None:
        indent = code.indent(code.start(_line_head(code, block, first)))
        if before >= 0 and not code.alone(start):
            start, lead = code.end(block[before]), f"\n{indent}"
        elif not code.alone(start):
            return None
    else:  # a suite on its header's line: only as a whole
        if before >= 0 or after < len(block):
            return None
        indent = code.indent(opener) + unit
        text = code.text[opener:start]
        start, lead = start - (len(text) - len(text.rstrip(" \t"))), f"\n{indent}"
    if after < len(block) and not code.alone(code.start(block[after])):
        end, tail = code.start(block[after]), f"\n{indent}"
    body = _deeper(code, code.start(first), code.end(last), unit)
    return code.edit(start, end, f"{lead}{header}\n{indent}{unit}{body}{tail}")


def _opener(code: Code, block: list[ast.stmt]) -> int | None:
    """Where the line begins whose `:` the block follows on the same line, if it does."""
    start = code.start(block[0])
    if code.alone(start):
        return None
    line = code.position(start)[0]
    return code.starts[line - 1]


def _line_head(code: Code, block: list[ast.stmt], stmt: ast.stmt) -> ast.stmt:
    """The statement that begins the line on which a statement follows a semicolon."""
    index = block.index(stmt)
    while index > 0 and not code.alone(code.start(block[index])):
        index -= 1
    return block[index]


def _deeper(code: Code, start: int, end: int, unit: str) -> str:
    """The text between two offsets, its lines one step further in; strings keep their lines."""
    number = code.position(start)[0]
    text = code.text[start:end]
    rows = text.split("\n")
    spanning = _LONG_STRING.search(text) is not None
    for index in range(1, len(rows)):
        if rows[index].strip() and not (spanning and number + index in code.inside_strings):
            rows[index] = unit + rows[index]
    return "\n".join(rows)
