"""The names around a file's `@triton.jit` functions: which functions are compiled, and what each global is to them."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.flow.kernel_values import (
    ANY_CONSTEXPR,
    NONE,
    NUMBER,
    UNKNOWN,
    Builtin,
    Constexpr,
    DType,
    Global,
    Host,
    JitFunction,
    KernelValue,
    Language,
    PythonFunction,
    constant,
)
from analyzer.knowledge.triton_language import DTYPES, LANGUAGE

#: Builtins that the frontend knows by itself.
KERNEL_BUILTINS = frozenset(
    {"len", "list", "range", "float", "int", "isinstance", "getattr", "hasattr", "print", "min", "max"}
)
PYTHON_BUILTINS = frozenset(n for n in dir(builtins) if n[0].islower()) | {"reversed", "sorted", "sum"}
#: Modules whose functions are Python's business for certain.
HOST_MODULES = frozenset(
    {"contextlib", "math", "numpy", "torch", "os", "sys", "time", "random", "json", "logging", "warnings"}
)
#: Decorators of kernels that keep them launchable by `kernel[grid](…)` and nothing else.
LAUNCHERS = frozenset({"autotune", "heuristics"})
_PTR = re.compile(r"(^|_)(ptr|pointer)$|[a-z]Ptr$", re.IGNORECASE)


def looks_like_pointer(name: str) -> bool:
    return bool(_PTR.search(name))


@dataclass(slots=True)
class Jit:
    """One `@triton.jit` function. `launchers`: it has no other decorators; `parents`: the functions around it."""

    node: ast.FunctionDef
    launchers: bool = True
    parents: tuple[ast.AST, ...] = ()
    options: dict[str, ast.expr] = field(default_factory=dict)


def dotted(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


class ModuleScope:
    """The module-level names of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.nodes = list(ast.walk(tree))
        self.star = False
        self.bindings: dict[str, list[ast.AST]] = {}
        self.imports: dict[str, set[str]] = {}
        self.rebound = {name for node in self.nodes if isinstance(node, ast.Global) for name in node.names}
        self._resolving: set[str] = set()
        self._values: dict[str, KernelValue | None] = {}
        for stmt in _flat(tree.body):
            self._bind(stmt)

    def _bind(self, stmt: ast.stmt) -> None:
        if isinstance(stmt, ast.Import):
            for alias in stmt.names:
                name = alias.asname or alias.name.split(".")[0]
                self._add(name, stmt)
                self.imports.setdefault(name, set()).add(alias.name if alias.asname else name)
        elif isinstance(stmt, ast.ImportFrom):
            for alias in stmt.names:
                if alias.name == "*":
                    self.star = True
                    continue
                name = alias.asname or alias.name
                self._add(name, stmt)
                self.imports.setdefault(name, set()).add("." * stmt.level + f"{stmt.module or ''}.{alias.name}")
        elif isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self._add(stmt.name, stmt)
        elif isinstance(stmt, (ast.Expr, ast.If, ast.While, ast.Try)):
            pass
        else:
            for node in ast.walk(stmt):
                if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                    self._add(node.id, stmt)

    def _add(self, name: str, node: ast.AST) -> None:
        self.bindings.setdefault(name, []).append(node)

    def _bound(self, name: str) -> list[ast.AST]:
        """The bindings of a name, without the `name = None` that stands in for an import that failed."""
        found = self.bindings.get(name, [])
        if name not in self.imports:
            return found
        return [
            b
            for b in found
            if not (isinstance(b, ast.Assign) and isinstance(b.value, ast.Constant) and b.value.value is None)
        ]

    def qualified(self, node: ast.AST) -> str:
        """The dotted name of a reference with its first part as imported, or "" if that is not certain."""
        name = dotted(node)
        if not name:
            return ""
        head, _, rest = name.partition(".")
        found = self.imports.get(head, set())
        if len(found) != 1 or any(not isinstance(b, (ast.Import, ast.ImportFrom)) for b in self._bound(head)):
            return ""
        full = next(iter(found))
        return f"{full}.{rest}" if rest else full

    def is_jit(self, decorator: ast.expr) -> bool:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self.qualified(call) in ("triton.jit", "triton.runtime.jit", "triton.runtime.jit.jit")

    @cached_property
    def wrapped(self) -> frozenset[str]:
        """Names of functions that are passed to `triton.jit` after their definition."""
        return frozenset(
            node.args[0].id
            for node in self.nodes
            if isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Name)
            and self.is_jit(node.func)
        )

    @cached_property
    def jits(self) -> dict[int, Jit]:
        """Every `@triton.jit` function of the file by the id of its node, nested ones as well."""
        found: dict[int, Jit] = {}
        wrapped = self.wrapped
        stack: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(self.tree, ())]
        while stack:
            node, parents = stack.pop()
            if isinstance(node, ast.FunctionDef):
                jit = [d for d in node.decorator_list if self.is_jit(d)]
                if jit or node.name in wrapped:
                    entry = Jit(node, parents=parents, launchers=bool(jit))
                    for decorator in node.decorator_list:
                        call = decorator.func if isinstance(decorator, ast.Call) else decorator
                        if decorator not in jit and dotted(call).rsplit(".", 1)[-1] not in LAUNCHERS:
                            entry.launchers = False
                    if jit and isinstance(jit[0], ast.Call):
                        entry.options = {k.arg: k.value for k in jit[0].keywords if k.arg}
                    found[id(node)] = entry
            inner = parents
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                inner = (*parents, node)
            stack.extend((child, inner) for child in ast.iter_child_nodes(node))
        return found

    @cached_property
    def used_by_kernels(self) -> frozenset[str]:
        """Names that occur inside some jit function of the file: a jit function among them is a helper."""
        return frozenset(
            node.id
            for jit in self.jits.values()
            for stmt in jit.node.body
            for node in ast.walk(stmt)
            if isinstance(node, ast.Name)
        )

    @cached_property
    def launched(self) -> frozenset[str]:
        """Names that are launched, `name[grid](…)`, somewhere in the file."""
        return frozenset(
            node.func.value.id
            for node in self.nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Subscript)
            and isinstance(node.func.value, ast.Name)
        )

    def is_kernel(self, jit: Jit) -> bool:
        """Whether a jit function is launched from the host, so that its parameters are runtime values for certain."""
        name = jit.node.name
        if name in self.launched:
            return name not in self.used_by_kernels
        if name in self.used_by_kernels or any(
            isinstance(n, ast.Return) and n.value is not None for n in ast.walk(jit.node)
        ):
            return False
        return "kernel" in name.lower() or any(
            dotted(d.func if isinstance(d, ast.Call) else d).rsplit(".", 1)[-1] in LAUNCHERS
            for d in jit.node.decorator_list
        )

    def lookup(self, name: str) -> KernelValue | None:
        """What a global name is to a kernel; None if the file does not have it."""
        if name in self._values:
            return self._values[name]
        if name in self._resolving:
            return UNKNOWN
        self._resolving.add(name)
        value = self._lookup(name)
        self._resolving.discard(name)
        self._values[name] = value
        return value

    def _lookup(self, name: str) -> KernelValue | None:
        found = self._bound(name)
        if not found:
            if self.star:
                return UNKNOWN
            if name in KERNEL_BUILTINS:
                return Builtin(name=name, allowed=True)
            return Builtin(name=name) if name in PYTHON_BUILTINS else None
        if name in self.rebound or name in KERNEL_BUILTINS:
            return UNKNOWN
        values = [self._binding(name, node) for node in found]
        return values[0] if all(v == values[0] for v in values) else UNKNOWN

    def _binding(self, name: str, node: ast.AST) -> KernelValue:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            sources = self.imports[name]
            return imported(next(iter(sources))) if len(sources) == 1 else UNKNOWN
        if isinstance(node, ast.FunctionDef):
            if id(node) in self.jits:
                return JitFunction(node=node)
            return UNKNOWN if node.decorator_list else PythonFunction(node=node, name=name)
        if isinstance(node, ast.ClassDef):
            # a NamedTuple and an aggregate have a meaning to Triton
            plain = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "object"}
            bases = {dotted(base).rsplit(".", 1)[-1] for base in node.bases}
            return UNKNOWN if node.decorator_list or node.keywords or bases - plain else Global(name=name)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            return self._assigned(name, node.value, False)
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self._assigned(name, node.value, "constexpr" in ast.unparse(node.annotation))
        return UNKNOWN

    def _assigned(self, name: str, value: ast.expr, annotated: bool) -> KernelValue:
        if self.is_plain(value):
            if isinstance(value, ast.Constant) and value.value is None:
                return NONE
            return Global(name=name, annotated=annotated)
        if isinstance(value, ast.Lambda):
            return PythonFunction(node=value, name=name)
        if isinstance(value, ast.Call):
            if self.qualified(value.func) in ("triton.language.constexpr", "triton.language.core.constexpr"):
                argument = value.args[0] if len(value.args) == 1 else None
                if isinstance(argument, ast.Constant):
                    return constant(argument.value)
                return (
                    NUMBER if argument is not None and self.is_plain(argument) and _numeric(argument) else ANY_CONSTEXPR
                )
            return UNKNOWN
        if isinstance(value, (ast.Name, ast.Attribute)):
            full = self.qualified(value)
            if full.startswith("triton.language"):
                return imported(full)
            if isinstance(value, ast.Name):
                other = self.lookup(value.id)
                return UNKNOWN if other is None or isinstance(other, (Global, PythonFunction)) else other
        return UNKNOWN

    def is_plain(self, value: ast.expr) -> bool:
        """Whether an expression makes an ordinary Python object for certain: literals and arithmetic on them."""
        if isinstance(value, ast.Constant):
            return value.value is not Ellipsis
        if isinstance(
            value, (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.JoinedStr, ast.ListComp, ast.DictComp, ast.SetComp)
        ):
            return True
        if isinstance(value, ast.UnaryOp):
            return isinstance(value.op, ast.Not) or self.is_plain(value.operand)
        if isinstance(value, ast.BinOp):
            return self.is_plain(value.left) and self.is_plain(value.right)
        if isinstance(value, ast.Attribute):
            return self.qualified(value) in (
                "math.pi",
                "math.e",
                "math.inf",
                "math.tau",
                "numpy.pi",
                "numpy.inf",
                "torch.pi",
            )
        if isinstance(value, ast.Call):
            name = dotted(value.func)
            if name in ("int", "float", "bool", "str", "len", "list", "dict", "set", "tuple", "range"):
                return name not in self.bindings
            full = self.qualified(value.func)
            return full.startswith("math.") or full in ("torch.tensor", "torch.device", "torch.cuda.is_available")
        if isinstance(value, ast.Name):
            return isinstance(self.lookup(value.id), Global)
        return False


def _numeric(value: ast.expr) -> bool:
    """Whether a plain expression is a number."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (int, float))
    if isinstance(value, ast.UnaryOp):
        return _numeric(value.operand)
    if isinstance(value, ast.BinOp):
        return _numeric(value.left) and _numeric(value.right)
    return isinstance(value, (ast.Attribute, ast.Call)) and dotted(getattr(value, "func", value)).startswith("math.")


def imported(full: str) -> KernelValue:
    """What an imported name is to a kernel."""
    if full == "triton":
        return Host(name=full)
    if full in ("triton.language", "triton.language.core"):
        return Language()
    if full.startswith("triton.language."):
        return member(Language(), full.removeprefix("triton.language.").removeprefix("core."))
    head = full.split(".")[0]
    return Host(name=full) if head in HOST_MODULES else UNKNOWN


def member(owner: Language, name: str) -> KernelValue:
    """An attribute of `triton.language` or of a module in it; unknown if it does not have that name."""
    if not owner.name and name == "core":
        return owner
    full = f"{owner.name}.{name}" if owner.name else name
    if not owner.name and name in DTYPES:
        return DType(name=DTYPES[name])
    return Language(name=full) if full.split(".")[0] in LANGUAGE else UNKNOWN


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module with those inside its `if`, `try`, `with`, `for` and `while`."""
    for stmt in body:
        yield stmt
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from _flat(getattr(stmt, part, []))
        for handler in getattr(stmt, "handlers", []):
            yield from _flat(handler.body)


__all__ = ["Constexpr", "Jit", "ModuleScope", "dotted", "imported", "looks_like_pointer", "member"]
