"""What docstrings say: the shapes beside a parameter's name, and the examples that can be run."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from runtime_probe.synthesis.argument import keyword_text

_SHAPE = re.compile(r"[\(\[]\s*([A-Za-z0-9_*/ ]+(?:,\s*[A-Za-z0-9_*/ ]+)*,?)\s*[\)\]]")
_WORDS = {"optional", "default", "none", "true", "false", "int", "float", "str", "bool", "list", "tuple", "tensor"}
_NOISE = re.compile(r"\\mathcal|\\times|\\text|:math:|[|`{}\\$]")
_INTS = re.compile(r"LongTensor|int64|integer|\bints?\b|indices", re.IGNORECASE)


def shapes(function: Any, owner: Any = None) -> Dict[str, List[List[str]]]:
    """Parameter → the shapes written near its name, each as a list of dimension names or numbers."""
    found: Dict[str, List[List[str]]] = {}
    try:
        names = [n for n in inspect.signature(function).parameters if n != "self"]
    except (TypeError, ValueError):
        return found
    texts = [inspect.getdoc(function) or ""]
    if owner is not None:
        texts.append(inspect.getdoc(owner) or "")
    for text in texts:
        for name in names:
            for shape in _near(name, text):
                if shape not in found.setdefault(name, []):
                    found[name].append(shape)
    return {name: listed for name, listed in found.items() if listed}


def _near(name: str, text: str) -> Iterator[List[str]]:
    """Shapes in the lines from one that begins with the name, up to a blank line or four lines on."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        begin = rf"\s*[-*`]*(?:param \w* ?)?{re.escape(name)}\b[`*]*\s*[:(\[=-]"
        if not re.match(begin, line.replace(":param", "param")):
            continue
        near: List[str] = [line]
        for further in lines[number + 1 : number + 4]:
            if not further.strip() or re.match(r"\s*\w+\s*[:(].*:", further):
                break
            near.append(further)
        cleaned = _NOISE.sub("", " ".join(near))
        cleaned = re.sub(rf"^\s*{re.escape(name)}", "", cleaned)
        for match in _SHAPE.finditer(cleaned):
            parts = [part.strip() for part in match.group(1).rstrip(", ").split(",")]
            if all(re.fullmatch(r"[A-Za-z_]\w{0,28}|\d+|[A-Za-z]\w*\s?[*/]\s?\w+", p) for p in parts):
                several = len(parts) > 1 or len(parts[0]) > 1
                if several and len(parts) <= 6 and not {p.lower() for p in parts} & _WORDS:
                    yield [re.split(r"[*/ ]", p)[0] for p in parts]
        return


class Example(NamedTuple):
    """An example of a docstring as an entry and one call."""

    entry: str
    inputs: str


_UNWANTED = re.compile(r"from_pretrained|load|open|download|url|hub|save|cuda|read|fetch|system|subprocess|exec|eval\(")


def examples(target: Any, name: str, method: Optional[str], parameters: Tuple[str, ...]) -> List[Example]:
    """The examples in the docstring of a class or function that call it: the assigned names are put in place, and what
    reads files or the network is left out. `method`: the method called, None for the object itself."""
    found: List[Example] = []
    texts = [inspect.getdoc(target) or ""]
    if isinstance(target, type):
        texts += [inspect.getdoc(getattr(target, method or "forward", None)) or ""]
    for text in texts:
        for example in _read(text, name, method, parameters, isinstance(target, type)):
            if example not in found:
                found.append(example)
    return found


def _read(
    text: str, name: str, method: Optional[str], parameters: Tuple[str, ...], is_class: bool
) -> Iterator[Example]:
    try:
        sources = [example.source for example in doctest.DocTestParser().get_examples(text)]
    except ValueError:
        return
    assigned: Dict[str, ast.expr] = {}
    for source in sources:
        try:
            body = ast.parse(source).body
        except SyntaxError:
            continue
        for statement in body:
            value = getattr(statement, "value", None)
            if not isinstance(value, ast.expr):
                continue
            for call in [node for node in ast.walk(value) if isinstance(node, ast.Call)]:
                example = _call(call, assigned, name, method, parameters, is_class)
                if example is not None:
                    yield example
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, ast.Name):
                    assigned[target.id] = _Inlined(assigned).visit(value)
                elif isinstance(target, ast.Tuple):
                    for part in target.elts:
                        if isinstance(part, ast.Name):
                            assigned.pop(part.id, None)


def _call(
    call: ast.Call, assigned: Dict[str, ast.expr], name: str, method: Optional[str], parameters: Tuple[str, ...],
    is_class: bool,
) -> Optional[Example]:  # fmt: skip
    function: ast.expr = call.func
    if method is not None:
        if not (isinstance(function, ast.Attribute) and function.attr == method):
            return None
        function = function.value
    if is_class:
        made = assigned.get(function.id) if isinstance(function, ast.Name) else function
        if not (isinstance(made, ast.Call) and _last(made.func) == name):
            return None
        plain = ast.Call(ast.Name(name), made.args, made.keywords)
        entry = ast.unparse(_Inlined(assigned).visit(plain)) + (f".{method}" if method else "")
    else:
        if _last(function) != name:
            return None
        entry = name
    inputs = _arguments(call, assigned, parameters)
    if inputs is None or _UNWANTED.search(entry) or _UNWANTED.search(inputs):
        return None
    return Example(entry, inputs)


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _arguments(call: ast.Call, assigned: Dict[str, ast.expr], parameters: Tuple[str, ...]) -> Optional[str]:
    inline = _Inlined(assigned)
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    positional = [ast.unparse(inline.visit(a)) for a in call.args]
    if not call.keywords:
        return "(" + "".join(f"{text}, " for text in positional).rstrip(" " if len(positional) == 1 else ", ") + ")"
    if len(positional) > len(parameters):
        return None
    named = dict(zip(parameters, positional))
    named.update({k.arg or "": ast.unparse(inline.visit(k.value)) for k in call.keywords})
    return f"dict({keyword_text(named)})"


class _Inlined(ast.NodeTransformer):
    """Puts the assigned expressions in the place of their names."""

    def __init__(self, assigned: Dict[str, ast.expr]) -> None:
        self._assigned = assigned

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._assigned.get(node.id, node)


def says_integers(function: Any, name: str) -> bool:
    """Whether the docstring calls that parameter one of whole numbers."""
    for line in (inspect.getdoc(function) or "").splitlines():
        if re.match(rf"\s*[-*`]*{re.escape(name)}\b", line):
            return bool(_INTS.search(line))
    return False
