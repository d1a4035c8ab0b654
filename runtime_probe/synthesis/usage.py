"""How a function's source uses its parameters: which ranks it unpacks, what it reads off them, what it compares."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from typing import Any, Dict, List, Optional

import torch


@dataclasses.dataclass
class Use:
    """What was seen of one parameter. `applied`: the attributes of self that are called with it; `attributes`: those
    read off it that no tensor has; `keys`: the string subscripts; `constants`: what it is compared with."""

    ranks: List[int] = dataclasses.field(default_factory=list)
    applied: List[str] = dataclasses.field(default_factory=list)
    attributes: List[str] = dataclasses.field(default_factory=list)
    keys: List[str] = dataclasses.field(default_factory=list)
    constants: List[Any] = dataclasses.field(default_factory=list)
    called: bool = False
    counted: bool = False
    iterated: bool = False


def definition(function: Any) -> Optional[ast.AST]:
    """The syntax tree of a function or class, or None where its source cannot be had."""
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
        body = ast.parse(source).body
    except (OSError, TypeError, ValueError, SyntaxError, RecursionError):
        return None
    return body[0] if body else None


def passed_on(function: Any) -> List[str]:
    """The methods of self to which a function hands its own `*args` or `**kwargs`."""
    tree = definition(function)
    if not isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    own = {a.arg for a in (tree.args.vararg, tree.args.kwarg) if a is not None}
    found: List[str] = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner = node.func.value
        given = [a.value for a in node.args if isinstance(a, ast.Starred)]
        given += [k.value for k in node.keywords if k.arg is None]
        if isinstance(owner, ast.Name) and owner.id == "self":
            if any(isinstance(value, ast.Name) and value.id in own for value in given):
                found.append(node.func.attr)
    return list(dict.fromkeys(found))


def uses(function: Any) -> Dict[str, Use]:
    """For each parameter of a function, how its body uses it."""
    tree = definition(function)
    if not isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {}
    arguments = tree.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found = {a.arg: Use() for a in every}
    for node in ast.walk(tree):
        _look(node, found)
    return found


def _look(node: ast.AST, found: Dict[str, Use]) -> None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List)):
        name = _shape_of(node.value)
        targets = node.targets[0].elts
        if name in found and not any(isinstance(t, ast.Starred) for t in targets):
            found[name].ranks.append(len(targets))
    elif isinstance(node, ast.Call):
        _look_at_call(node, found)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in found:
        if not hasattr(torch.Tensor, node.attr) and node.attr not in found[node.value.id].attributes:
            found[node.value.id].attributes.append(node.attr)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in found:
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            if node.slice.value not in found[node.value.id].keys:
                found[node.value.id].keys.append(node.slice.value)
    elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id in found:
        for other in node.comparators:
            for part in other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]:
                if isinstance(part, ast.Constant) and isinstance(part.value, (str, int, float)):
                    if part.value not in found[node.left.id].constants:
                        found[node.left.id].constants.append(part.value)
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Name) and node.iter.id in found:
        found[node.iter.id].iterated = True


def _look_at_call(node: ast.Call, found: Dict[str, Use]) -> None:
    function = node.func
    given = [a.id for a in node.args if isinstance(a, ast.Name) and a.id in found]
    if isinstance(function, ast.Name):
        if function.id in found:
            found[function.id].called = True
        for name in given:
            if function.id == "range":
                found[name].counted = True
            elif function.id in ("len", "enumerate", "zip", "sorted", "list", "tuple"):
                found[name].iterated = True
        if function.id in ("rearrange", "repeat", "reduce") and given and len(node.args) > 1:
            _pattern(found[given[0]], node.args[1])
    elif isinstance(function, ast.Attribute):
        owner = function.value
        if isinstance(owner, ast.Name) and owner.id == "self":
            for name in given:
                found[name].applied.append(function.attr)
        elif isinstance(owner, ast.Name) and owner.id in found and function.attr == "permute":
            if node.args and not any(isinstance(a, (ast.Starred, ast.Tuple, ast.List)) for a in node.args):
                found[owner.id].ranks.append(len(node.args))


def _pattern(use: Use, pattern: ast.expr) -> None:
    """`rearrange(x, "b (h p) w c -> ...")` has one dimension for each group on the left."""
    if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str) and "..." not in pattern.value:
        left, depth, count = pattern.value.split("->")[0], 0, 0
        for word in left.replace("(", " ( ").replace(")", " ) ").split():
            count += depth == 0 and word != ")"
            depth += (word == "(") - (word == ")")
        use.ranks.append(count)


def _shape_of(node: ast.AST) -> str:
    """The name in `name.shape` or `name.size()`, or nothing."""
    if isinstance(node, ast.Call) and not node.args:
        node = node.func
        if not (isinstance(node, ast.Attribute) and node.attr == "size"):
            return ""
    elif not (isinstance(node, ast.Attribute) and node.attr == "shape"):
        return ""
    return node.value.id if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else ""
