"""State that outlives a call: where a changed object lives, whether its old value was read first, and who reads it.

Stores of the call at hand leave a mark in the variables (`=self.count.`), so that what a call sets up itself is not
taken for state that it finds. Marks meet like variables do: after a branch only what both sides stored is marked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analyzer.flow import events as ev
from analyzer.observe import observed
from analyzer.project import FunctionInfo, dotted
from analyzer.values import UNKNOWN, Class, External, Instance, Map, Module, Seq, Value

if TYPE_CHECKING:
    from analyzer.flow.frame import Frame
    from analyzer.flow.interpreter import Interpreter

#: Methods whose own reads and writes happen outside any capture.
_OUTSIDE = frozenset(
    "__init__ __repr__ __str__ extra_repr reset_parameters state_dict load_state_dict __getstate__ __setstate__".split()
)


def marker(path: str) -> str:
    """The variable that tells that `path` was stored in this call."""
    return f"={path}."


class State:
    """Mixin of the evaluator."""

    interp: Interpreter
    frame: Frame

    if TYPE_CHECKING:

        def emit(self, event: type[ev.Event], node: ast.AST, **fields: Any) -> None: ...

    def was_read(self, path: str) -> None:
        """`path` is loaded: note it unless this call stored it before."""
        frame = self.frame
        if not frame.quiet and marker(path) not in frame.env:
            frame.reads.add(path)

    def lives(self, node: ast.expr) -> str:
        """Where the object that `node` names is kept between calls (`StateChange.lives`), or "" if it is made here."""
        while isinstance(node, (ast.Subscript, ast.Call)):
            if isinstance(node, ast.Call):
                return ""
            node = node.value
        path = dotted(node)
        if path is None:
            return ""
        frame = self.frame
        parts = path.split(".")
        for length in range(1, len(parts) + 1):
            if marker(".".join(parts[:length])) in frame.env:
                return ""
        root = parts[0]
        if root in frame.env:
            return self._kept_by(frame.env[root], len(parts) > 1, root)
        if root in frame.locals and root not in frame.globals:
            return ""
        if frame.scope is not None and root in frame.scope and _closed_over(frame.info, root):
            return (
                self._kept_by(frame.scope[root], len(parts) > 1, "")
                if len(parts) > 1
                else "closure"
                if frame.context.depth == 0
                else ""
            )
        value = self.interp.global_value(frame.module, root)
        if value is None:
            return ""
        if isinstance(value, (Class, Module, External)):
            return "class" if isinstance(value, Class) else "global"
        return "global"

    def _kept_by(self, value: Value, inside: bool, name: str) -> str:
        if isinstance(value, Instance):
            if not inside or value.fresh:
                return ""
            if value.cls is not None and self.interp.is_module(value.cls):
                return "module"
            if value.taint or self.frame.context.depth == 0:
                return "argument"
            return "object" if value.cls is not None else ""
        if isinstance(value, Class):
            return "class"
        if isinstance(value, (Seq, Map)) and not inside:
            parameter = any(a.arg == name for a in self.frame.info.parameters)
            return "argument" if parameter and value.taint and self.frame.context.depth == 0 else ""
        return ""

    def changed(
        self,
        target: ast.expr,
        statement: ast.AST,
        how: str,
        stored: Value,
        before: Value | None = None,
        key: Value | None = None,
        method: str = "",
        lives: str | None = None,
    ) -> None:
        """Tell the rules that state changed, and mark it as stored in this call."""
        frame = self.frame
        if frame.quiet or frame.driver or ev.StateChange not in self.interp.wanted:
            return
        holder = target.value if isinstance(target, ast.Subscript) else target
        path = dotted(holder)
        kept = self.lives(holder) if lives is None else lives
        if kept:
            self.emit(
                ev.StateChange,
                target,
                statement=statement,
                how=how,
                lives=kept,
                state=path or "",
                before=before,
                stored=stored,
                key=key,
                method=method,
                read_before=how == "augment" or (path in frame.reads if path is not None else False),
                read_elsewhere=path is not None and read_elsewhere(frame.info, path, statement),
            )
        if (
            path is not None
            and how in ("assign", "augment")
            and not isinstance(target, ast.Subscript)
            or method == "clear"
            and path is not None
        ):
            frame.env[marker(path)] = UNKNOWN


def _closed_over(info: FunctionInfo, name: str) -> bool:
    """Whether a name belongs to an enclosing function (the scope of a function holds its module's variables too)."""
    outer = info.parent
    while outer is not None and outer.qualname != "<module>":
        arguments = [*outer.parameters, outer.node.args.vararg, outer.node.args.kwarg]
        if any(a is not None and a.arg == name for a in arguments):
            return True
        if any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(outer.node)):
            return True
        outer = outer.parent
    return False


def read_elsewhere(info: FunctionInfo, path: str, statement: ast.AST) -> bool:
    """Whether captured code reads what `path` names, other than to compute its next value."""
    return observed(_read_elsewhere, info, path, statement)


def _read_elsewhere(info: FunctionInfo, path: str, statement: ast.AST) -> bool:
    root, _, tail = path.partition(".")
    first = info.parameters[0].arg if info.parameters else ""
    if info.cls is not None and root == first and tail:
        readers = [(m, f"{m.parameters[0].arg}.{tail}") for m in info.cls.methods.values() if m.parameters]
    else:
        module = info.module
        infos = [*module.functions.values(), *(m for c in module.classes.values() for m in c.methods.values())]
        readers = [(known, path) for known in infos]
    return any(
        node is not statement
        for reader, wanted in readers
        if reader.name not in _OUTSIDE
        for node in _readers(reader).get(wanted, ())
    )


def _readers(info: FunctionInfo) -> dict[str, list[ast.AST]]:
    """Dotted path → the statements of a function that read it and do not only update it."""
    known: dict[str, list[ast.AST]] | None = info.__dict__.get("_readers")
    if known is None:
        known = info.__dict__["_readers"] = {}
        for path, statement in _reads(info.node):
            known.setdefault(path, []).append(statement)
    return known


def _reads(function: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(path, statement) of every load of a name or attribute chain, without those that only update it."""
    for statement in ast.walk(function):
        if not isinstance(statement, ast.stmt):
            continue
        own = _updated(statement)
        for node in _expressions(statement):
            path = dotted(node)
            if path is not None and path not in own:
                yield path, statement


def _updated(statement: ast.stmt) -> set[str]:
    """Paths that a statement stores, or whose method it calls only to change them."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    elif (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
    ):
        return {dotted(statement.value.func.value) or "", dotted(statement.value.func) or ""}
    holders = [t.value if isinstance(t, ast.Subscript) else t for t in targets]
    return {path for path in map(dotted, holders) if path is not None}


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Loaded names and chains in the statement itself, not in the statements inside it."""
    stack: list[ast.AST] = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            yield node
        stack.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
