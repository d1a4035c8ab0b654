"""A new text put in the place of an old one: what stands in both keeps its nodes and its definitions.

The parts of a file are its top-level statements and the members of its classes. A part whose lines are as they were
keeps its nodes; where lines above it came or went, their positions move. A class of which only methods changed stays
the same class, with other methods.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from analyzer.flow.stand_in import stand_ins
from analyzer.project import ClassInfo, FunctionInfo, ModuleInfo, is_method
from analyzer.recovery import FILLERS
from analyzer.source import SourceText

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TRY_STAR: tuple[type, ...] = (ast.TryStar,) if hasattr(ast, "TryStar") else ()
#: The fields of a statement that hold the statements inside it.
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
#: What tells a part: its kind, its columns, its lines as they were parsed and as they are written.
_Key = tuple[type, int, int, str, str]


def first_line(stmt: ast.stmt) -> int:
    """The line in which a statement begins, its decorators included."""
    decorators: list[ast.expr] = getattr(stmt, "decorator_list", [])
    return min([stmt.lineno, *(d.lineno for d in decorators)])


def last_line(stmt: ast.stmt) -> int:
    """The line in which a statement ends."""
    return stmt.end_lineno or stmt.lineno


@dataclass(slots=True)
class Moves:
    """How lines of the old text became lines of the new one: (first, last, by how many), in order of `first`."""

    parts: list[tuple[int, int, int]] = field(default_factory=list)
    _firsts: list[int] = field(default_factory=list)

    def sort(self) -> None:
        """To be called once, when all parts are in."""
        self.parts.sort()
        self._firsts = [first for first, _, _ in self.parts]

    @property
    def any(self) -> bool:
        """Whether any line moved."""
        return any(by for _, _, by in self.parts)

    def line(self, line: int) -> int:
        """Where a line of a part that stayed is now."""
        index = bisect_right(self._firsts, line) - 1
        if index >= 0 and line <= self.parts[index][1]:
            return line + self.parts[index][2]
        return line


@dataclass(frozen=True, slots=True)
class Change:
    """The statements `first` to before `end` of a module's tree give way to `body`; those after it move by `lines`."""

    first: int
    end: int
    body: list[ast.stmt]
    lines: int


class Text:
    """The lines of a file, as parsed and as written; what was left out in parsing counts as not written."""

    def __init__(self, source: SourceText, parsed: str) -> None:
        self.source = source
        self.parsed = self.written = source.lines
        if parsed != source.text:
            self.parsed = parsed.split("\n")
            self.written = [p if p.strip() in FILLERS else w for p, w in zip(self.parsed, source.lines)]

    def key(self, stmt: ast.stmt) -> _Key:
        """What tells a statement."""
        lines = self.between(first_line(stmt), last_line(stmt) + 1)
        return (type(stmt), stmt.col_offset, stmt.end_col_offset or 0, *lines)

    def between(self, first: int, end: int) -> tuple[str, str]:
        """Some lines, from the first to before the last."""
        parsed = "\n".join(self.parsed[first - 1 : end - 1])
        return parsed, parsed if self.parsed is self.written else "\n".join(self.written[first - 1 : end - 1])

    def body_line(self, stmt: ast.stmt) -> int:
        """The line in which the body of a function or compound statement begins."""
        body: list[ast.stmt] = getattr(stmt, "body", [])
        return min([first_line(inner) for inner in body], default=0)

    def head(self, stmt: ast.stmt) -> object:
        """What comes before the body of a function or compound statement; None if that is not on lines of its own."""
        start = self.body_line(stmt)
        if start <= stmt.lineno or isinstance(stmt, (ast.Try, ast.Match, *_TRY_STAR)):
            return None
        return (type(stmt), stmt.col_offset, self.between(first_line(stmt), start))

    def shell(self, node: ast.ClassDef) -> object:
        """What of a class is not in its methods; None if it cannot be told apart from them."""
        start = min(first_line(stmt) for stmt in node.body)
        if start <= node.lineno:
            return None
        members = tuple(self.key(stmt) for stmt in node.body if not isinstance(stmt, _FUNCTIONS))
        return (node.col_offset, self.between(first_line(node), start), members)


class Splice:
    """Puts a new tree in the place of a module's old one, keeping what it can; `moves` tells where things went."""

    def __init__(
        self,
        module: ModuleInfo,
        change: Change,
        old: Text,
        new: Text,
        functions: dict[int, FunctionInfo],
        classes: dict[int, ClassInfo],
    ) -> None:
        """`functions` and `classes`: those that are known, by their nodes' ids; what is gone is taken out."""
        self.module = module
        self.moves = Moves()
        self._old, self._new = old, new
        functions.update((id(f.node), f) for f in module.functions.values())
        classes.update((id(c.node), c) for c in module.classes.values())
        self._functions, self._classes = functions, classes
        self._changed: list[ClassInfo] = []
        before = module.tree.body
        body = self._matched(before[change.first : change.end], change.body)
        if change.lines:
            for stmt in before[change.end :]:
                self._move(stmt, first_line(stmt), last_line(stmt), change.lines)
        self.moves.sort()
        module.tree.body = [*before[: change.first], *body, *before[change.end :]]
        module.source.text, module.source._ascii = new.source.text, new.source._ascii
        module.source.__dict__["lines"] = new.source.lines
        self._redefine()

    def _matched(self, before: list[ast.stmt], after: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of the new body, old nodes in the place of new ones where they are the same."""
        known: dict[_Key, deque[ast.stmt]] = {}
        for stmt in before:
            known.setdefault(self._old.key(stmt), deque()).append(stmt)
        result: list[ast.stmt] = []
        opened: list[int] = []
        for stmt in after:
            same = known.get(self._new.key(stmt))
            if same:
                kept = same.popleft()
                self._move(kept, first_line(kept), last_line(kept), stmt.lineno - kept.lineno)
                result.append(kept)
            else:
                opened.append(len(result))
                result.append(stmt)
        left = [stmt for stmts in known.values() for stmt in stmts]
        shells = {self._old.shell(s): s for s in left if isinstance(s, ast.ClassDef) and self._classes.get(id(s))}
        shells.pop(None, None)
        heads: dict[object, deque[ast.stmt]] = {}
        for stmt in left:
            heads.setdefault(self._old.head(stmt), deque()).append(stmt)
        for index in opened:
            stmt = result[index]
            kept_class = shells.pop(self._new.shell(stmt), None) if isinstance(stmt, ast.ClassDef) else None
            if kept_class is not None:
                assert isinstance(stmt, ast.ClassDef)
                left.remove(kept_class)
                result[index] = self._refilled(kept_class, stmt)
                continue
            alike = heads.get(self._new.head(stmt)) if self._new.head(stmt) is not None else None
            if alike and not isinstance(stmt, ast.ClassDef):
                self._fill(alike.popleft(), stmt)
        for stmt in left:
            self._gone(stmt)
        return result

    def _fill(self, old: ast.stmt, new: ast.stmt) -> None:
        """Give a function or a compound statement, which is new itself, what of its parts is as it was."""
        by = new.lineno - old.lineno
        first, end = first_line(old), self._old.body_line(old)
        self.moves.parts.append((first, end - 1, by))
        for name in old._fields:
            if name not in _BLOCKS:
                part = getattr(old, name)
                setattr(new, name, part)
                for node in part if isinstance(part, list) else [part]:
                    if by and isinstance(node, ast.AST):
                        _shift(node, by)
        for name in _BLOCKS:
            before, after = getattr(old, name, None), getattr(new, name, None)
            if before and after and isinstance(before[0], ast.stmt):
                setattr(new, name, self._matched(before, after))

    def _refilled(self, kept: ast.ClassDef, new: ast.ClassDef) -> ast.ClassDef:
        """The old class with the members of the new one."""
        by = new.lineno - kept.lineno
        start = min(first_line(stmt) for stmt in kept.body)
        body = self._matched(kept.body, new.body)
        self.moves.parts.append((first_line(kept), start - 1, by))
        for part in (*kept.decorator_list, *kept.bases, *kept.keywords):
            _shift(part, by)
        kept.lineno, kept.end_lineno, kept.end_col_offset = new.lineno, new.end_lineno, new.end_col_offset
        kept.body = body
        self._changed.append(self._classes[id(kept)])
        return kept

    def _move(self, node: ast.stmt, first: int, last: int, by: int) -> None:
        self.moves.parts.append((first, last, by))
        if by:
            _shift(node, by)

    def _gone(self, stmt: ast.stmt) -> None:
        for node in ast.walk(stmt):
            if isinstance(node, (*_FUNCTIONS, ast.Lambda)):
                self._functions.pop(id(node), None)
            elif isinstance(node, ast.ClassDef):
                self._classes.pop(id(node), None)

    # -- definitions --------------------------------------------------------------------------------------------

    def _redefine(self) -> None:
        """Bring the module's definitions up to its tree."""
        module = self.module
        for name in ("bindings", "functions", "classes"):
            module.__dict__.pop(name, None)
        functions: dict[str, FunctionInfo] = {}
        classes: dict[str, ClassInfo] = {}
        for name, found in module.bindings.items():
            for binding in found:
                node = binding.node
                if isinstance(node, _FUNCTIONS):
                    functions[name] = self._functions.get(id(node)) or FunctionInfo(node, module, name)
                elif isinstance(node, ast.ClassDef):
                    classes[name] = self._classes.get(id(node)) or ClassInfo(node, module, name)
        module.__dict__["functions"] = functions
        module.__dict__["classes"] = classes
        for cls in self._changed:
            known = {id(method.node): method for method in cls.methods.values()}
            cls.methods = {
                node.name: known.get(id(node)) or FunctionInfo(node, module, f"{cls.qualname}.{node.name}", cls)
                for node in _methods(cls.node)
            }
            cls.__dict__.pop("stores", None)


def _methods(node: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    from analyzer.project import _flatten

    for stmt in node.body:
        for inner in _flatten(stmt):
            if isinstance(inner, _FUNCTIONS) and is_method(inner):
                yield inner


def _shift(node: ast.AST, by: int) -> None:
    """Move a node and all in it down by some lines."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        if "lineno" in current.__dict__:
            current.lineno += by  # type: ignore[attr-defined]
            if getattr(current, "end_lineno", None) is not None:
                current.end_lineno += by  # type: ignore[attr-defined]
            stack.extend(stand_ins(current))
        for name in current._fields:
            child = getattr(current, name, None)
            if isinstance(child, list):
                stack.extend(c for c in child if isinstance(c, ast.AST))
            elif isinstance(child, ast.AST) and child._attributes:
                stack.append(child)
            elif isinstance(child, (ast.arguments, ast.comprehension, ast.withitem, ast.match_case)):
                stack.append(child)
