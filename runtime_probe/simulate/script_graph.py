"""A graph of TorchScript in the report's form: what `torch.jit.trace` and `torch.jit.script` made.

Constants stand in the arguments. The blocks of a `prim::If` or `prim::Loop` are groups: their nodes' `module` ends in
`if_7.true`, `if_7.false` or `loop_9.body`, by the line of the statement, and the node itself comes behind them, for it
takes what they give. A scripted module of the program's own is a group with what is in it; a layer of torch's is one
node.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Set, Tuple

import torch

from runtime_probe.dynamo.graphs import MOST_CODE, line_ranges
from runtime_probe.dynamo.places import is_inside
from runtime_probe.job import one_line
from runtime_probe.report import Graph, Node

_TRACED = re.compile(r"^(.+?)\((\d+)\): ", re.MULTILINE)
_SCRIPTED = re.compile(r'File "([^"]+)", line (\d+)')
_MODULES = ("ClassType", "InterfaceType")

_Place = Tuple[Optional[str], Optional[int]]


def of_captured(captured: Any, traced: bool, most: int) -> Tuple[Graph, str]:
    """The graph, with at most so many nodes, and its text."""
    graph = captured.inlined_graph if traced else captured.graph
    reader = _Reader(most)
    reader.read(graph, "", "", captured if isinstance(captured, torch.nn.Module) else None)
    lines: Dict[str, Set[int]] = {}
    for node in reader.nodes:
        if node["path"] is not None and node["line"] is not None:
            lines.setdefault(node["path"], set()).add(node["line"])
    text = str(graph)
    made: Graph = {
        "id": 0,
        "lines": {path: line_ranges(numbers) for path, numbers in sorted(lines.items())},
        "evaluated": {},
        "code": str(getattr(captured, "code", ""))[:MOST_CODE],
        "nodes": reader.nodes,
    }
    return made, text[:MOST_CODE]


def evaluated(captured: Any) -> Optional[Set[Tuple[str, int]]]:
    """The lines, by path, that a script has operations of, with those of the functions and modules that it calls. None
    where it calls Python, which decides by itself."""
    found: Set[Tuple[str, int]] = set()
    blocks = [captured.inlined_graph]
    while blocks:
        for node in blocks.pop().nodes():
            blocks += node.blocks()
            path, line = _place(node)
            if node.kind() == "prim::PythonOp":
                return None
            if path is not None and line is not None:
                found.add((path, line))
    return found


class _Reader:
    def __init__(self, most: int) -> None:
        self.nodes: List[Node] = []
        self._most = most
        self._constants: Dict[str, str] = {}
        self._objects: Dict[str, Any] = {}  #: values that are modules
        self._paths: Dict[str, str] = {}  #: and where those are
        self._renamed: Dict[str, str] = {}
        self._groups: Set[str] = set()

    def read(self, graph: Any, module: str, prefix: str, owner: Any) -> None:
        """A whole graph: its arguments, its nodes and what it returns."""
        for value in graph.inputs():
            name = prefix + _name(value)
            if value.type().kind() in _MODULES:
                self._objects[name], self._paths[name] = owner, module
            elif not prefix:
                self._add("placeholder", name, name, [], module, value, (None, None))
        self._block(graph, module, prefix)
        if not prefix:
            self._add("output", "output", "output", self._names(graph.outputs(), prefix), module, None, (None, None))

    def _block(self, block: Any, module: str, prefix: str) -> None:
        for node in block.nodes():
            self._node(node, module, prefix)

    def _node(self, node: Any, module: str, prefix: str) -> None:
        kind, outputs = node.kind(), list(node.outputs())
        name = prefix + _name(outputs[0]) if outputs else f"{prefix}{kind.rpartition('::')[2]}_{len(self.nodes)}"
        place = _place(node)
        if kind == "prim::Constant":
            self._constants[name] = _constant(node)
            return
        read = self._names(node.inputs(), prefix)
        if kind in ("prim::ListConstruct", "prim::TupleConstruct") and all(one in self._constants for one in read):
            text = ", ".join(self._constants[one] for one in read)
            self._constants[name] = f"[{text}]" if kind == "prim::ListConstruct" else f"({text})"
            return
        if kind == "prim::GetAttr":
            self._attribute(node, name, read, module, place)
        elif kind in ("prim::If", "prim::Loop"):
            self._control(node, name, read, module, prefix, place)
        elif kind == "prim::CallMethod" and self._call(node, name, read, module, place):
            return
        else:
            target = node.s("name") if kind == "prim::CallMethod" else kind
            self._add("call_function", name, target, read, _scope(node) or module, outputs[:1], place)
        for number, output in enumerate(outputs[1:], 1):
            self._add("call_function", prefix + _name(output), f"output {number}", [name], module, [output], place)

    def _attribute(self, node: Any, name: str, read: List[str], module: str, place: _Place) -> None:
        attribute, owner = node.s("name"), self._objects.get(read[0])
        path = ".".join(filter(None, [self._paths.get(read[0], ""), attribute]))
        if node.output().type().kind() in _MODULES:
            self._objects[name], self._paths[name] = getattr(owner, attribute, None), path
        else:
            self._add("get_attr", name, path, [], self._paths.get(read[0], module), [node.output()], place)

    def _call(self, node: Any, name: str, read: List[str], module: str, place: _Place) -> bool:
        """A call of another scripted module: what is in it if it is the program's own, else one node."""
        method, owner = node.s("name"), self._objects.get(read[0])
        path = self._paths.get(read[0], "")
        graph: Any = getattr(getattr(owner, method, None), "graph", None)
        own = graph is not None and any(_place(inner)[0] is not None for inner in graph.nodes())
        if not own or len(self.nodes) >= self._most:
            target = path if method == "forward" else f"{path}.{method}".lstrip(".")
            self._add("call_module", name, target or method, read[1:], path or module, [node.output()], place)
            return True
        inside = f"{name}/"
        for value, given in zip(list(graph.inputs())[1:], read[1:]):
            self._renamed[inside + _name(value)] = given
        group = _joined(module, path.rpartition(".")[2] if module else path)
        inner = next(iter(graph.inputs()))
        self._objects[inside + _name(inner)], self._paths[inside + _name(inner)] = owner, path
        self._block(graph, group, inside)
        self._renamed[name] = self._names(graph.outputs(), inside)[0]
        return True

    def _control(self, node: Any, name: str, read: List[str], module: str, prefix: str, place: _Place) -> None:
        loop = node.kind() == "prim::Loop"
        group = self._group(_joined(module, f"{'loop' if loop else 'if'}_{place[1] or len(self.nodes)}"))
        given = list(read[:1])
        for block, part in zip(node.blocks(), ("body",) if loop else ("true", "false")):
            inside = f"{group}.{part}"
            for number, value in enumerate(block.inputs()):
                carried = [] if number == 0 else read[number + 1 : number + 2]
                self._add("placeholder", prefix + _name(value), "item" if number == 0 else "carried",
                          carried, inside, [value], place)  # fmt: skip
            self._block(block, inside, prefix)
            given += self._names(block.outputs(), prefix)[1 if loop else 0 :]
        self._add("call_function", name, node.kind(), given, module, list(node.outputs())[:1], place)

    def _group(self, name: str) -> str:
        """A name that no other block has."""
        found, number = name, 1
        while found in self._groups:
            number += 1
            found = f"{name}_{number}"
        self._groups.add(found)
        return found

    def _names(self, values: Any, prefix: str) -> List[str]:
        names = []
        for value in values:
            name = prefix + _name(value)
            while name in self._renamed:
                name = self._renamed[name]
            names.append(name)
        return names

    def _add(self, op: str, name: str, target: str, read: List[str], module: str, values: Any, place: _Place) -> None:
        if len(self.nodes) >= self._most:
            return
        value = values[0] if isinstance(values, list) and values else values or None
        shape, dtype = _tensor(value)
        self.nodes.append(
            {
                "op": op,
                "name": name,
                "target": target,
                "args": one_line(", ".join(self._constants.get(one, one) for one in read), 200),
                "inputs": [one for one in read if one not in self._constants and one not in self._objects],
                "module": module,
                "shape": shape,
                "dtype": dtype,
                "path": place[0],
                "line": place[1],
            }
        )


def _name(value: Any) -> str:
    """A value's name; `%2` for one that has a number only, to tell it from a constant."""
    name = str(value.debugName())
    return f"%{name}" if name[0].isdigit() else name


def _joined(module: str, part: str) -> str:
    return f"{module}.{part}" if module else part


def _constant(node: Any) -> str:
    if not node.hasAttributes():
        return "None"
    try:
        value = node.output().toIValue()
    except RuntimeError:
        return "constant"
    if isinstance(value, torch.Tensor):
        return f"tensor({one_line(str(value.tolist()), 40)})" if value.numel() < 10 else f"tensor{list(value.shape)}"
    return one_line(repr(value), 60)


def _tensor(value: Any) -> Tuple[Optional[List[str]], Optional[str]]:
    kind = value.type() if value is not None else None
    if kind is None or kind.kind() != "TensorType":
        return None, None
    sizes, dtype = kind.sizes(), kind.dtype()
    return ([str(size) for size in sizes] if sizes is not None else None,
            str(dtype).replace("torch.", "") if dtype is not None else None)  # fmt: skip


def _place(node: Any) -> _Place:
    """The innermost line of the user's or of a package's: traced nodes have the stack, scripted ones their place."""
    text = node.sourceRange()
    for path, line in [*_TRACED.findall(text), *_SCRIPTED.findall(text)]:
        if is_inside(path):
            return path, int(line)
    return None, None


def _scope(node: Any) -> str:
    """The module that a traced node is of: `b.0.lin`."""
    last = str(node.scopeName()).rpartition("/")[2]
    return last.split(".", 1)[1] if last.startswith("__module.") else ""
