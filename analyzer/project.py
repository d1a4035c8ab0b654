"""The files of a run as modules, classes and functions, and how names lead from one file to another.

Modules are read when first asked for. A `ModuleInfo` is one source file; `ClassInfo` and `FunctionInfo` are its
definitions. Names that no source of the project answers stay qualified names of a library (`torch.nn.Linear`).
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from analyzer import source as source_reader
from analyzer.facts import body_facts
from analyzer.finding import FileError
from analyzer.observe import observed
from analyzer.source import SourceText
from analyzer.syntax import Parsed, parse

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

#: Libraries judged from tables, never from their source: reading them would only repeat what was measured.
TABLE_PACKAGES = frozenset({"torch", "numpy", "triton", "torchvision", "scipy", "functorch", "pandas", "jax"})

STDLIB = frozenset(sys.stdlib_module_names)


@dataclass(eq=False)
class FunctionInfo:
    """A def or lambda. `qualname` as Python spells it, without `<locals>`."""

    node: FunctionNode
    module: ModuleInfo
    qualname: str
    cls: ClassInfo | None = None
    parent: FunctionInfo | None = None

    @property
    def name(self) -> str:
        return self.node.name if not isinstance(self.node, ast.Lambda) else "<lambda>"

    @cached_property
    def decorators(self) -> list[ast.expr]:
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list

    @cached_property
    def parameters(self) -> list[ast.arg]:
        """Positional-only, positional and keyword-only parameters, in order."""
        args = self.node.args
        return [*args.posonlyargs, *args.args, *args.kwonlyargs]

    @cached_property
    def defaults(self) -> dict[str, ast.expr]:
        args = self.node.args
        positional = [*args.posonlyargs, *args.args]
        found = {a.arg: d for a, d in zip(reversed(positional), reversed(args.defaults))}
        found.update({a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None})
        return found

    def decorator_names(self) -> list[str]:
        """Dotted source text of each decorator, without its call."""
        return [dotted(d.func if isinstance(d, ast.Call) else d) or "" for d in self.decorators]

    def has_decorator(self, *names: str) -> bool:
        return any(d.rsplit(".", 1)[-1] in names for d in self.decorator_names())


@dataclass(eq=False)
class ClassInfo:
    """A class statement: its methods, class-level bindings and the stores to `self.x` of all its methods."""

    node: ast.ClassDef
    module: ModuleInfo
    qualname: str
    outer: FunctionInfo | None = None
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    bindings: dict[str, ast.expr | None] = field(default_factory=dict)
    annotations: dict[str, ast.expr] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.node.name

    def method(self, name: str) -> FunctionInfo | None:
        """A method of the class itself."""
        return observed(_method_of, self, name)

    def stores_of(self, attribute: str) -> list[tuple[FunctionInfo, ast.stmt]]:
        """The statements of methods that assign an attribute on `self`."""
        return observed(_stores_of, self, attribute)

    def __post_init__(self) -> None:
        for stmt in self.node.body:
            for inner in _flatten(stmt):
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    if is_method(inner):
                        name = f"{self.qualname}.{inner.name}"
                        self.methods[inner.name] = FunctionInfo(inner, self.module, name, self)
                elif isinstance(inner, ast.Assign):
                    for target in inner.targets:
                        if isinstance(target, ast.Name):
                            self.bindings[target.id] = inner.value
                elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                    self.annotations[inner.target.id] = inner.annotation
                    if inner.value is not None:
                        self.bindings[inner.target.id] = inner.value

    @cached_property
    def stores(self) -> dict[str, list[tuple[FunctionInfo, ast.stmt]]]:
        """Attribute name → the statements of methods that assign it on `self`."""
        found: dict[str, list[tuple[FunctionInfo, ast.stmt]]] = {}
        for method in self.methods.values():
            if not method.parameters:
                continue
            self_name = method.parameters[0].arg
            for name, attribute, statement in body_facts(method).stores:
                if name == self_name:
                    found.setdefault(attribute, []).append((method, statement))
        return found


def is_method(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function in a class body is what its name stands for: no setter, no mere signature."""
    names = [dotted(d) or "" for d in node.decorator_list]
    return not any(n.endswith((".setter", ".deleter", "overload")) for n in names)


_NO_STORES: list[tuple[FunctionInfo, ast.stmt]] = []


def _method_of(cls: ClassInfo, name: str) -> FunctionInfo | None:
    return cls.methods.get(name)


def _stores_of(cls: ClassInfo, attribute: str) -> list[tuple[FunctionInfo, ast.stmt]]:
    return cls.stores.get(attribute, _NO_STORES)


def _bound(module: ModuleInfo, name: str) -> list[Binding] | None:
    return module.bindings.get(name)


def _holds(module: ModuleInfo, text: str) -> bool:
    return text in module.source.text


@dataclass(frozen=True, slots=True)
class Binding:
    """How a module-level name is bound: by a definition, an import (`target` module, `member`) or an expression.

    `index`: position in an unpacked tuple, `conditional`: inside an `if`, `try` or loop.
    """

    node: ast.AST
    value: ast.expr | None = None
    target: str = ""
    member: str = ""
    index: tuple[int, ...] = ()
    conditional: bool = False


#: Also `from jax import numpy`.
_NUMPY = re.compile(r"^[ \t]*(?:import|from)[ \t][^\n#]*\bnumpy\b", re.MULTILINE)


@dataclass(eq=False)
class ModuleInfo:
    """One source file. `name` is its dotted name below its import root; `library`: not part of what is checked."""

    path: str
    name: str
    source: SourceText
    tree: ast.Module
    errors: tuple[FileError, ...]
    library: bool = False
    package: bool = False
    resolved: set[str] = field(default_factory=set)  #: paths of project files that this one's names led to
    parsed: str | None = None  #: the text of the tree, `source.text` but for what had to be rewritten or left out
    guessed: frozenset[int] = frozenset()  #: the numbers of the lines that were finished to be parsed

    def bound(self, name: str) -> list[Binding] | None:
        """The bindings of a module-level name."""
        return observed(_bound, self, name)

    def holds(self, text: str) -> bool:
        """Whether a text is anywhere in the file."""
        return observed(_holds, self, text)

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        found: dict[str, list[Binding]] = {}
        for stmt, conditional in _module_statements(self.tree.body, False):
            for name, binding in _bindings_of(stmt, self, conditional):
                found.setdefault(name, []).append(binding)
        return found

    @cached_property
    def star_imports(self) -> list[str]:
        if "import *" not in self.source.text:
            return []
        body = [s for s in self.tree.body if not (isinstance(s, ast.If) and "TYPE_CHECKING" in ast.dump(s.test))]
        return [
            self.absolute(stmt.module, stmt.level)
            for stmt, _ in _module_statements(body, False)
            if isinstance(stmt, ast.ImportFrom) and any(a.name == "*" for a in stmt.names)
        ]

    @cached_property
    def functions(self) -> dict[str, FunctionInfo]:
        return {
            name: FunctionInfo(b.node, self, name)
            for name, found in self.bindings.items()
            for b in found
            if isinstance(b.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }

    @cached_property
    def classes(self) -> dict[str, ClassInfo]:
        return {
            name: ClassInfo(b.node, self, name)
            for name, found in self.bindings.items()
            for b in found
            if isinstance(b.node, ast.ClassDef)
        }

    @cached_property
    def rebound_globals(self) -> frozenset[str]:
        """Names that some function declares `global`: their module-level value is not the last word."""
        if "global " not in self.source.text:
            return frozenset()
        lines = re.findall(r"^[ \t]*global[ \t]+(\w[\w, \t]*)", self.source.text, re.MULTILINE)
        return frozenset(name.strip() for line in lines for name in line.split(","))

    @cached_property
    def fx_wrapped(self) -> frozenset[str]:
        """Names that `torch.fx.wrap("name")` at module level makes leaves of torch.fx."""
        if "wrap(" not in self.source.text:
            return frozenset()
        calls = [s.value for s in self.tree.body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call)]
        return frozenset(
            argument.value
            for call in calls
            if (dotted(call.func) or "").rsplit(".", 1)[-1] == "wrap"
            for argument in call.args[:1]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        )

    @cached_property
    def imports_torch(self) -> bool:
        return "torch" in self.source.text

    @cached_property
    def imports_numpy(self) -> bool:
        return _NUMPY.search(self.source.text) is not None

    def absolute(self, module: str | None, level: int) -> str:
        """The dotted name that a (relative) import names."""
        if level == 0:
            return module or ""
        parts = self.name.split(".") if self.name else []
        drop = level - 1 if self.package else level
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, module] if module else base)


def _flatten(stmt: ast.stmt) -> Iterator[ast.stmt]:
    """A statement of a class or module body, or those inside its `if`, `try` and `with`."""
    yield stmt
    if isinstance(stmt, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
        for part in ("body", "orelse", "finalbody"):
            for inner in getattr(stmt, part, ()):
                yield from _flatten(inner)
        for handler in getattr(stmt, "handlers", ()):
            for inner in handler.body:
                yield from _flatten(inner)


def _module_statements(body: list[ast.stmt], conditional: bool) -> Iterator[tuple[ast.stmt, bool]]:
    for stmt in body:
        if isinstance(stmt, ast.If) and _is_main_test(stmt.test):
            continue
        first = True
        for inner in _flatten(stmt):
            yield inner, conditional or not first
            first = False


def _is_main_test(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and len(test.ops) == 1
        and isinstance(test.ops[0], ast.Eq)
    )


def _bindings_of(stmt: ast.stmt, module: ModuleInfo, conditional: bool) -> Iterator[tuple[str, Binding]]:
    if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield stmt.name, Binding(stmt, conditional=conditional)
    elif isinstance(stmt, ast.Import):
        for alias in stmt.names:
            if alias.asname:
                yield alias.asname, Binding(stmt, target=alias.name, conditional=conditional)
            else:
                top = alias.name.split(".")[0]
                yield top, Binding(stmt, target=top, conditional=conditional)
    elif isinstance(stmt, ast.ImportFrom):
        target = module.absolute(stmt.module, stmt.level)
        for alias in stmt.names:
            if alias.name != "*":
                yield (
                    alias.asname or alias.name,
                    Binding(stmt, target=target, member=alias.name, conditional=conditional),
                )
    elif isinstance(stmt, ast.Assign):
        for target_node in stmt.targets:
            for name, index in _targets(target_node, ()):
                yield name, Binding(stmt, stmt.value, index=index, conditional=conditional)
    elif isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
        yield stmt.target.id, Binding(stmt, stmt.value, conditional=conditional)
    elif isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
        yield stmt.target.id, Binding(stmt, None, conditional=True)
    elif isinstance(stmt, (ast.For, ast.AsyncFor)):
        for name, _ in _targets(stmt.target, ()):
            yield name, Binding(stmt, None, conditional=True)
    elif isinstance(stmt, (ast.With, ast.AsyncWith)):
        for item in stmt.items:
            if item.optional_vars is not None:
                for name, _ in _targets(item.optional_vars, ()):
                    yield name, Binding(stmt, None, conditional=True)


def _targets(target: ast.expr, index: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    if isinstance(target, ast.Name):
        yield target.id, index
    elif isinstance(target, (ast.Tuple, ast.List)):
        for position, element in enumerate(target.elts):
            yield from _targets(element, (*index, position))
    elif isinstance(target, ast.Starred):
        yield from _targets(target.value, (*index, -1))


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` for a chain of names, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
        return ".".join(reversed(parts))
    return None


def import_root(path: str) -> tuple[str, str, bool]:
    """(import root, dotted name, is a package) of a file, from the `__init__.py` files above it."""
    folder, file = os.path.split(path)
    stem = os.path.splitext(file)[0]
    package = stem == "__init__"
    parts = [] if package else [stem]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        if not name:
            break
        parts.insert(0, name)
    return folder, ".".join(parts), package


class Project:
    """Every module of one run, read when first needed."""

    def __init__(
        self,
        search_paths: tuple[str, ...],
        site_paths: tuple[str, ...],
        sources: Mapping[str, str],
        checked: frozenset[str],
    ) -> None:
        self.search_paths = search_paths
        self.site_paths = site_paths
        self.sources = dict(sources)  #: texts that differ from what is on disk
        self.checked = checked
        self._by_path: dict[str, ModuleInfo | FileError] = {}
        self._by_name: dict[tuple[str, str], str | None] = {}
        self._roots: dict[str, tuple[str, str, bool]] = {}

    def load(self, path: str, library: bool = False) -> ModuleInfo | FileError:
        """The module of a file, read and parsed once."""
        known = self._by_path.get(path)
        if known is not None:
            return known
        text = self.sources.get(path)
        source = SourceText(path, text.replace("\r\n", "\n")) if text is not None else source_reader.read(path)
        result: ModuleInfo | FileError
        if isinstance(source, FileError):
            result = source
        else:
            parsed: Parsed | FileError = parse(source)
            if isinstance(parsed, FileError):
                result = parsed
            else:
                _, name, package = self.root_of(path)
                result = ModuleInfo(path, name, source, parsed.tree, parsed.errors, library, package)
                result.parsed, result.guessed = parsed.text, parsed.guessed
        self._by_path[path] = result
        return result

    def forget(self, path: str) -> None:
        """A file is to be read again."""
        self._by_path.pop(path, None)

    def paths(self) -> tuple[str, ...]:
        """Every file that was read, or could not be."""
        return tuple(self._by_path)

    def missed(self, path: str) -> bool:
        """Whether an import that led nowhere might lead to this file, were it there."""
        stem = path.removesuffix(".py").removesuffix(f"{os.sep}__init__")
        names = (name for (name, _), found in self._by_name.items() if found is None)
        return any(stem.endswith(os.sep + name.replace(".", os.sep)) for name in names)

    def root_of(self, path: str) -> tuple[str, str, bool]:
        if path not in self._roots:
            self._roots[path] = import_root(path)
        return self._roots[path]

    def find(self, name: str, importer: ModuleInfo) -> ModuleInfo | None:
        """The module of a dotted name as `importer` would import it, if its source is found and not left to tables."""
        if not name:
            return None
        top = name.split(".")[0]
        root = self.root_of(importer.path)[0]
        own = importer.name.split(".")[0] == top
        if not own and (top in STDLIB or top in TABLE_PACKAGES) or top == "torch":  # torch itself may be checked, too
            return None
        key = (name, root)
        if key not in self._by_name:
            self._by_name[key] = self._locate(name, root)
        path = self._by_name[key]
        if path is None:
            return None
        library = path not in self.checked and any(_below(path, site) for site in self.site_paths)
        module = self.load(path, library)
        if isinstance(module, FileError):
            return None
        importer.resolved.add(path)
        return module

    def _locate(self, name: str, root: str) -> str | None:
        parts = name.split(".")
        for base in dict.fromkeys((root, *self.search_paths, *self.site_paths)):
            stem = os.path.join(base, *parts)
            for candidate in (os.path.join(stem, "__init__.py"), stem + ".py"):
                if candidate in self.sources or os.path.isfile(candidate):
                    return candidate
        return None

    def modules(self) -> Iterator[ModuleInfo]:
        """Every module that was read."""
        for module in list(self._by_path.values()):
            if isinstance(module, ModuleInfo):
                yield module


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
