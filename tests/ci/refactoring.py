"""Random refactorings of a marked program, so that it is known which finding each one was.

A mark `__m3_CAP110__(x.item())` says that `x.item()` is finding 3. Refactorings change trees and leave the marks where
they are; `findings` takes them out and makes the fingerprints of what they mark.
"""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from analyzer.finding import Finding
from capture_lsp.baseline.fingerprint import Fingerprint, Source
from capture_lsp.baseline.matching import match
from capture_lsp.baseline.normal import Outlines
from capture_lsp.baseline.renames import Defined, defined

PROGRAM = {
    "net.py": """
import torch
import losses

def score(x):
    return x.mean() * 2

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)
        self.threshold = 0.5

    def encode(self, x):
        h = self.lin(x)
        if __m1_CAP101__(h.sum() > self.threshold):
            h = h * 2
        if __m2_CAP101__(h.max() > 3):
            h = h - 1
        return h

    def decode(self, x):
        peak = x.max()
        value = __m3_CAP110__(peak.item())
        __m4_CAP301__(print('decoded', value))
        return x * value

    def forward(self, x):
        h = self.encode(x)
        if __m5_CAP101__(score(h) > 1):
            h = h + 1
        total = losses.total(h, x)
        return self.decode(h) + total
""",
    "losses.py": """
import torch

def total(a, b):
    loss = (a - b).abs().mean()
    if __m6_CAP101__(loss.isnan()):
        loss = loss * 0
    scale = __m7_CAP110__(float(loss))
    kept = __m8_CAP121__(a[a > 0])
    return loss * scale + kept.sum()

def step(x, y):
    diff = x - y
    worst = __m9_CAP110__(diff.max().item())
    if worst > 2:
        __m10_CAP301__(print('far off'))
    for i in __m11_CAP112__(range(int(y.sum()))):
        x = x + i
    return x

def reduced(values, mask, limit):
    picked = __m12_CAP121__(values[mask])
    count = __m13_CAP110__(mask.sum().item())
    low = picked.min()
    high = picked.max()
    spread = high - low
    if __m14_CAP101__(spread > limit):
        picked = picked / spread
    while __m15_CAP101__(picked.norm() > 1):
        picked = picked * 0.5
    names = __m16_CAP110__(picked.tolist())
    return picked.sum() / count, names
""",
}
MARKS = 16
_MARK = re.compile(r"__m(\d+)_(CAP\d+)__\(")
_STRING = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")


@dataclass
class Place:
    """A function, and the module or class that it stands in."""

    path: str
    owner: ast.Module | ast.ClassDef
    function: ast.FunctionDef

    @property
    def method(self) -> bool:
        return isinstance(self.owner, ast.ClassDef) and not self.function.decorator_list


class Program:
    """Files as trees. Names that are made are in use nowhere else."""

    def __init__(self, seed: int) -> None:
        self.trees = {path: ast.parse(text) for path, text in PROGRAM.items()}
        self.random = random.Random(seed)
        self._made = 0

    def fresh(self) -> str:
        self._made += 1
        return f"{self.random.choice(('alpha', 'beta', 'gamma', 'delta', 'kappa'))}_{self._made}"

    def places(self) -> list[Place]:
        """All functions but constructors."""
        found = []
        for path, tree in self.trees.items():
            for owner in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))):
                for node in owner.body:
                    if isinstance(node, ast.FunctionDef) and node.name != "__init__":
                        found.append(Place(path, owner, node))
        return found

    def place(self, suits: Callable[[Place], bool] = lambda place: True) -> Place | None:
        found = [place for place in self.places() if suits(place)]
        return self.random.choice(found) if found else None

    def texts(self) -> dict[str, str]:
        """The files as they are, without marks."""
        return {path: text for path, (text, _) in self._rendered().items()}

    def findings(self) -> list[tuple[int, Fingerprint]]:
        """The number and the fingerprint of each finding."""
        found = []
        for path, (text, marks) in self._rendered().items():
            source = Source(text)
            for number, code, start, end in marks:
                first, last = _position(text, start), _position(text, end)
                found.append((number, source.fingerprint(Finding(code, "n", path, *first, *last, "", "", {}), path)))
        return found

    def _rendered(self) -> dict[str, tuple[str, list[tuple[int, str, int, int]]]]:
        """Each file's text, and (number, code, start, end) of its marks."""
        return {path: _without_marks(ast.unparse(ast.fix_missing_locations(tree))) for path, tree in self.trees.items()}


def _without_marks(raw: str) -> tuple[str, list[tuple[int, str, int, int]]]:
    text, at = "", 0
    found: list[tuple[int, str, int, int]] = []
    open_: list[tuple[int, str, int]] = []
    depths: list[int] = []
    while at < len(raw):
        if (mark := _MARK.match(raw, at)) is not None:
            open_.append((int(mark[1]), mark[2], len(text)))
            depths.append(0)
            at = mark.end()
            continue
        part = string[0] if (string := _STRING.match(raw, at)) is not None else raw[at]
        at += len(part)
        if depths and part in ("(", ")"):
            depths[-1] += 1 if part == "(" else -1
            if depths[-1] < 0:
                depths.pop()
                found.append((*open_.pop(), len(text)))
                continue
        text += part
    return text + "\n", found


def _position(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


class Code:
    """The present files, as `matching` asks for them."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._sources = {path: Source(text) for path, text in texts.items()}

    def functions(self, path: str) -> frozenset[str] | None:
        return frozenset(self._sources[path].scopes.names) if path in self._sources else None

    def local(self, path: str, function: str) -> frozenset[str]:
        return self._sources[path].scopes.of(function).local

    def through(self, path: str, function: str, helper: str) -> frozenset[str]:
        return self._sources[path].through(function, helper)

    def outline(self, path: str, function: str, former: Mapping[str, str]) -> Outlines:
        return self._sources[path].outline_of(function, former)

    def defined(self) -> Defined:
        return defined([source.tree for source in self._sources.values() if source.tree is not None])


def told(before: list[tuple[int, Fingerprint]], program: Program) -> dict[int, int | None]:
    """Each finding's number → the number of the earlier one that it is taken for."""
    now = program.findings()
    matched = match([f for _, f in before], [f for _, f in now], Code(program.texts()))
    return {number: None if known is None else before[known][0] for (number, _), known in zip(now, matched)}


def marks(node: ast.AST) -> list[ast.Call]:
    return [
        n
        for n in ast.walk(node)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and _MARK.match(f"{n.func.id}(")
    ]


def local_names(function: ast.FunctionDef) -> list[str]:
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return sorted(stored | {a.arg for a in function.args.args if a.arg != "self"})


class _Renamed(ast.NodeTransformer):
    def __init__(self, old: str, new: str, names: bool = True, attributes: bool = True) -> None:
        self._old, self._new, self._names, self._attributes = old, new, names, attributes

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        for kind, field, on in (
            (ast.Name, "id", self._names),
            (ast.arg, "arg", self._names),
            (ast.Attribute, "attr", self._attributes),
            ((ast.FunctionDef, ast.ClassDef), "name", self._names),
        ):
            if on and isinstance(node, kind) and getattr(node, field) == self._old:
                setattr(node, field, self._new)
        return node


class _Put(ast.NodeTransformer):
    """One node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def put(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Exchange a node in a tree."""
    _Put(old, new).visit(tree)


def _statements(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], int]]:
    """The statements, each as a block and its number in it."""
    waiting = [function.body]
    while waiting:
        body = waiting.pop()
        for number, statement in enumerate(body):
            yield body, number
            waiting += [getattr(statement, name) for name in ("body", "orelse") if hasattr(statement, name)]


def rename_local(p: Program) -> bool:
    place = p.place(lambda place: bool(local_names(place.function)))
    assert place is not None
    old, new = p.random.choice(local_names(place.function)), p.fresh()
    for node in (*place.function.body, place.function.args):
        _Renamed(old, new, attributes=False).visit(node)
    return True


def _rename(p: Program, old: str, new: str, names: bool = True) -> bool:
    for tree in p.trees.values():
        _Renamed(old, new, names=names).visit(tree)
    return True


def rename_function(p: Program) -> bool:
    place = p.place(lambda place: place.function.name != "forward")
    return place is not None and _rename(p, place.function.name, p.fresh())


def rename_class(p: Program) -> bool:
    names = [n.name for tree in p.trees.values() for n in tree.body if isinstance(n, ast.ClassDef)]
    return bool(names) and _rename(p, p.random.choice(names), p.fresh().title())


def rename_attribute(p: Program) -> bool:
    every = [node for tree in p.trees.values() for node in ast.walk(tree)]
    names = {node.attr for node in every if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return bool(names) and _rename(p, p.random.choice(sorted(names)), p.fresh(), names=False)


def _could_be_named(mark: ast.Call) -> list[ast.expr]:
    """The parts of a marked expression that may get a name: a condition as a whole, operands, but no methods."""
    marked = mark.args[0]
    called = [n.func for n in ast.walk(mark) if isinstance(n, ast.Call)]
    parts = [n for n in ast.walk(marked) if isinstance(n, (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute))]
    fine = [n for n in parts if n is not marked and n not in called]
    return [*fine, marked] if isinstance(marked, ast.Compare) else fine


def extract_variable(p: Program) -> bool:
    found = []
    for place in p.places():
        for body, number in _statements(place.function):
            statement = body[number]
            head = getattr(statement, "test", None) or getattr(statement, "iter", None)
            whole = statement if not hasattr(statement, "body") else head
            if isinstance(statement, ast.While) or whole is None:
                continue
            found += [(body, number, mark, part) for mark in marks(whole) for part in _could_be_named(mark)]
    if not found:
        return False
    body, number, mark, part = p.random.choice(found)
    name = p.fresh()
    put(mark, part, ast.Name(name, ast.Load()))
    body.insert(number, ast.Assign([ast.Name(name, ast.Store())], part))
    return True


def inline_variable(p: Program) -> bool:
    found = []
    for place in p.places():
        names = [n for n in ast.walk(place.function) if isinstance(n, ast.Name)]
        for body, number in _statements(place.function):
            statement = body[number]
            if not isinstance(statement, ast.Assign) or marks(statement):
                continue
            target = statement.targets[0]
            uses = [n for n in names if isinstance(target, ast.Name) and n.id == target.id and n is not target]
            if len(uses) == 1 and isinstance(uses[0].ctx, ast.Load) and len(body) > 1:
                found.append((place.function, body, number, uses[0], statement.value))
    if not found:
        return False
    function, body, number, use, value = p.random.choice(found)
    del body[number]
    put(function, use, value)
    return True


def _function(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    head = ast.parse(f"def {name}({', '.join(parameters)}): pass").body[0]
    assert isinstance(head, ast.FunctionDef)
    head.body = body
    return head


def _call(place: Place, name: str, arguments: list[str]) -> ast.expr:
    return ast.parse(f"{'self.' * place.method}{name}({', '.join(arguments)})", mode="eval").body


def extract_condition(p: Program) -> bool:
    """A condition on one local becomes a helper."""
    found = []
    for place in p.places():
        for mark in marks(place.function):
            names = {n.id for n in ast.walk(mark.args[0]) if isinstance(n, ast.Name)} & set(local_names(place.function))
            if isinstance(mark.args[0], ast.Compare) and len(names) == 1 and _simple(place):
                found.append((place, mark, names.pop()))
    if not found:
        return False
    place, mark, name = p.random.choice(found)
    helper, parameter = p.fresh(), p.fresh()
    value = _Renamed(name, parameter, attributes=False).visit(copy.deepcopy(mark.args[0]))
    assert isinstance(value, ast.expr)
    function = _function(helper, ["self"] * place.method + [parameter], [ast.Return(value)])
    place.owner.body.insert(place.owner.body.index(place.function), function)
    mark.args[0] = _call(place, helper, [name])
    return True


def _simple(place: Place) -> bool:
    return not place.function.decorator_list


def extract_statements(p: Program) -> bool:
    """Three statements with a finding become a function."""
    found = [
        (place, first)
        for place in p.places()
        if _simple(place)
        for first in range(len(place.function.body) - 3)
        if any(map(marks, place.function.body[first : first + 3]))
    ]
    if not found:
        return False
    place, first = p.random.choice(found)
    body = place.function.body
    part, rest = body[first : first + 3], body[first + 3 :]
    there = {a.arg for a in place.function.args.args if a.arg != "self"} | _names(body[:first], ast.Store)
    parameters = sorted(_names(part, ast.Load) & there)
    results = sorted(_names(part, ast.Store) & _names(rest, ast.Load))
    name = p.fresh()
    returned = ast.parse(f"return {', '.join(results)}").body
    body[first : first + 3] = ast.parse(f"{', '.join(results)}{' = ' if results else ''}None").body
    statement = body[first]
    assert isinstance(statement, (ast.Assign, ast.Expr))
    statement.value = _call(place, name, parameters)
    function = _function(name, ["self"] * place.method + parameters, [*part, *returned])
    place.owner.body.insert(place.owner.body.index(place.function) + 1, function)
    return True


def _names(nodes: list[ast.stmt], kind: type[ast.expr_context]) -> set[str]:
    every = [inner for node in nodes for inner in ast.walk(node)]
    return {n.id for n in every if isinstance(n, ast.Name) and isinstance(n.ctx, kind)}


def move_function(p: Program) -> bool:
    place = p.place(lambda place: isinstance(place.owner, ast.Module) and len(place.owner.body) > 2)
    if place is None:
        return False
    other = p.random.choice(sorted(set(p.trees) - {place.path}))
    place.owner.body.remove(place.function)
    p.trees[other].body.insert(1, place.function)
    return True


def reorder(p: Program) -> bool:
    place = p.place()
    assert place is not None
    place.owner.body.remove(place.function)
    place.owner.body.append(place.function)
    return True


def rename_file(p: Program) -> bool:
    p.trees[f"{p.fresh()}.py"] = p.trees.pop(p.random.choice(sorted(p.trees)))
    return True


def add_statement(p: Program) -> bool:
    place = p.place()
    assert place is not None
    text = p.random.choice(("assert True", f"{p.fresh()} = torch.zeros(3)", f"{p.fresh()} = 'x' + 'y'"))
    place.function.body.insert(p.random.randrange(len(place.function.body)), ast.parse(text).body[0])
    return True


def wrap(p: Program) -> bool:
    """The statements into a block."""
    place = p.place(lambda place: not isinstance(place.function.body[0], ast.Return))
    if place is None:
        return False
    body = place.function.body
    block = ast.parse(p.random.choice(("with torch.no_grad():\n pass", "if True:\n pass"))).body[0]
    assert isinstance(block, (ast.With, ast.If))
    block.body = [s for s in body if not isinstance(s, ast.Return)]
    place.function.body = [block, *(s for s in body if isinstance(s, ast.Return))]
    return True


def another_message(p: Program) -> bool:
    marked = [mark for tree in p.trees.values() for mark in marks(tree)]
    found = [n for m in marked for n in ast.walk(m) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    p.random.choice(found).value = f"a message, {p.fresh()}"
    return True


def into_class(p: Program) -> bool:
    place = p.place(lambda place: isinstance(place.owner, ast.Module))
    if place is None:
        return False
    name, function = p.fresh().title(), place.function
    for node in (node for tree in p.trees.values() for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name:
            node.func = ast.Attribute(ast.Name(name, ast.Load()), function.name, ast.Load())
        elif isinstance(node, ast.Attribute) and node.attr == function.name:
            if not isinstance(node.value, ast.Name) or node.value.id not in ("self", name):
                node.value = ast.Attribute(node.value, name, ast.Load())
    function.decorator_list = [ast.Name("staticmethod", ast.Load())]
    place.owner.body[place.owner.body.index(function)] = ast.ClassDef(
        name=name, bases=[], keywords=[], body=[function], decorator_list=[], type_params=[]
    )
    return True


REFACTORINGS = (
    rename_local,
    rename_function,
    rename_class,
    rename_attribute,
    extract_variable,
    inline_variable,
    extract_condition,
    extract_statements,
    move_function,
    reorder,
    rename_file,
    add_statement,
    wrap,
    another_message,
    into_class,
)


def refactored(seed: int, number: int) -> Program:
    """The program after a number of refactorings."""
    program = Program(seed)
    while number:
        number -= program.random.choice(REFACTORINGS)(program)
    return program
