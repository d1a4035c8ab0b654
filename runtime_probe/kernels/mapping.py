"""From the nodes that Inductor rewrote back to the nodes of the captured graph, and to lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

import torch

from runtime_probe.dynamo import graphs
from runtime_probe.kernels.eager import is_nothing
from runtime_probe.report import Unmapped

_FACTORIES = ("full", "zeros", "ones", "arange", "scalar_tensor", "iota", "full_like", "zeros_like", "ones_like", "eye")
_DEAD = "dead: its result is not needed"
_SAME = "no operation of its own: it gives what it was given"
_GIVING = frozenset(
    "getitem detach contiguous to type_as float double half expand_as view_as view requires_grad_".split()
)
_SETTINGS = ("_set_grad_enabled", "_enter_", "_exit_", "_functorch", "_saved_tensors")
_COPIES = ("clone", "_to_copy", "convert_element_type", "contiguous", "lift_fresh_copy", "to", "type_as")

#: Where a node keeps what it stands for, if nothing else tells.
_STANDS_FOR = "captured_nodes"

Place = Tuple[str, int]


@dataclass
class Source:
    """A node of the captured graph, as it was before anything rewrote it. `same`: an earlier one that computes the
    same of the same."""

    name: str
    op: str
    target: str
    place: Optional[Place]
    tensor: bool
    used: bool
    same: str = ""


def sources_of(module: Any) -> Dict[str, Source]:
    """By name: the nodes of a captured graph."""
    found: Dict[str, Source] = {}
    first: Dict[Any, str] = {}
    for node in module.graph.nodes:
        path, line = graphs.place_of(node.meta.get("stack_trace"))
        place = (path, line) if path is not None and line is not None else None
        value = node.meta.get("example_value")
        tensor = isinstance(value, (torch.Tensor, tuple, list)) or value is None
        target = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", str(node.target))
        found[node.name] = Source(node.name, node.op, target, place, tensor, _is_used(node), _same(node, first))
    return found


def _same(node: Any, first: Dict[Any, str]) -> str:
    """An earlier node that does the same with the same; `first` holds the first one of each."""
    if not node.op.startswith("call_"):
        return ""

    def earlier(argument: Any) -> str:
        return first.get(argument, str(argument.name))

    arguments = str(torch.fx.node.map_arg((node.args, dict(node.kwargs)), earlier))
    known = first.setdefault((node.op, str(node.target), arguments), node.name)
    first[node] = known
    return known if known != node.name else ""


def _is_used(node: Any) -> bool:
    """Whether something needs a node: an output of the graph, or an operation that changes what it is given."""
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    changes = node.op == "call_function" and name in ("setitem", "copy_")
    return bool(node.users) or changes or name.endswith("_")


def bodies_of(module: Any) -> Dict[str, str]:
    """Nodes of graphs inside a graph (a branch, a custom autograd function), by the node that runs them."""
    found: Dict[str, str] = {}
    for node in module.graph.nodes:
        for argument in node.all_input_nodes if node.op == "call_function" else ():
            body = getattr(module, str(argument.target), None) if argument.op == "get_attr" else None
            for inner in getattr(getattr(body, "graph", None), "nodes", ()):
                found.setdefault(inner.name, node.name)
    return found


class Ancestry:
    """Which nodes of the captured graph a later node comes from. Those of the backward pass come from those of the
    forward pass that have the same number in the order of autograd."""

    def __init__(self, module: Any) -> None:
        self.sources = sources_of(module)
        self._bodies = bodies_of(module)
        self._numbers: Dict[int, Set[str]] = {}

    def learn(self, graph: Any) -> None:
        """Note what is in a forward graph. A node that a rewriting made without a trace stands for the first one that
        does the same and is not there any more."""
        nodes = [node for node in graph.nodes if node.op == "call_function"]
        made: Set[str] = set()
        for node in nodes:
            found = self._direct(node)
            made |= found
            if (node.meta.get("seq_nr") or -1) >= 0:
                self._numbers.setdefault(node.meta["seq_nr"], set()).update(found)
        lost = [s for s in self.sources.values() if s.op.startswith("call_") and s.name not in made]
        for node in nodes:
            if not self.of(node):
                does = getattr(node.target, "__name__", "").split(".")[0]
                known = next((source for source in lost if source.target.strip("_") in (does, "i" + does)), None)
                if known is not None:
                    lost.remove(known)
                    node.meta[_STANDS_FOR] = {known.name}

    def of(self, node: Any) -> Set[str]:
        """Names of the captured graph."""
        found = self._direct(node) or set(node.meta.get(_STANDS_FOR, ()))
        return found or self._numbers.get(node.meta.get("seq_nr"), set())

    def _direct(self, node: Any) -> Set[str]:
        roots: Set[str] = set()
        waiting = list(node.meta.get("from_node") or ())
        while waiting:
            source = waiting.pop()
            deeper = list(getattr(source, "from_node", None) or ())
            waiting += deeper
            name = str(getattr(source, "name", ""))
            name = name if name in self.sources else self._bodies.get(name, "")
            if not deeper and name:
                roots.add(name)
        return roots

    def lines(self, nodes: Iterable[Any]) -> Dict[str, str]:
        """The lines that nodes come from, as the report has them."""
        found: Dict[str, Set[int]] = {}
        for node in nodes:
            places = [self.sources[name].place for name in self.of(node)]
            if not any(places):  # made by a rewriting: it may have kept the stack
                path, line = graphs.place_of(getattr(node, "stack_trace", None))
                places = [(path, line)] if path is not None and line is not None else []
            for place in places:
                if place is not None:
                    found.setdefault(place[0], set()).add(place[1])
        return {path: graphs.line_ranges(numbers) for path, numbers in sorted(found.items())}


def computing(nodes: Iterable[Any]) -> List[Any]:
    """Those that compute something: views are of no kernel, and the copy of a new value into an input stands for the
    write that the program did, which is among the others."""
    found = [node for node in nodes if node.op == "call_function" and not is_view(node)]
    return [node for node in found if not _is_written_back(node)] or found


def _is_written_back(node: Any) -> bool:
    name = getattr(node.target, "__name__", "")
    return name.startswith("copy_") and bool(node.args) and getattr(node.args[0], "op", "") == "placeholder"


def is_view(node: Any) -> bool:
    name = getattr(node.target, "__name__", str(node.target)).split(".")[0]
    return name in ("getitem", "reshape", "view") or is_nothing(node.target)


def unmapped(ancestry: Ancestry, mapped: Set[str], before: Iterable[Any], after: Iterable[Any]) -> List[Unmapped]:
    """The nodes of a captured graph that no kernel computes. `before`: the operations that AOTAutograd made of it, as
    (names of the captured graph, node); `after`: those that were left when Inductor had rewritten them."""
    made: Dict[str, List[Any]] = {}
    for node in before:
        for name in ancestry.of(node):
            made.setdefault(name, []).append(node)
    left: Set[str] = set()
    for node in after:
        left |= ancestry.of(node)
    rows: List[Unmapped] = []
    for name, source in ancestry.sources.items():
        if name not in mapped:
            rows.append({"node": name, "why": _why(source, made.get(name, []), name in left)})
    return rows


def _why(source: Source, made: List[Any], left: bool) -> str:
    if source.op in ("placeholder", "get_attr"):
        return "input"
    if source.op == "output":
        return "output"
    if source.target.startswith(_SETTINGS):
        return "a setting: it computes nothing"
    if not source.tensor:
        return "a number, known before the kernels run"
    names = [getattr(node.target, "__name__", "").split(".")[0] for node in made if node.op == "call_function"]
    if made and all(is_view(node) for node in made):
        return "view: no data moves"
    if names and all(name in _FACTORIES or is_view(node) for name, node in zip(names, made)):
        return "folded constant"
    if names and all(name in _COPIES or is_view(node) for name, node in zip(names, made)):
        return "no copy needed"
    if not made and source.target == "copy_":
        return "no kernel of its own: the kernel of what it copies writes it"
    if not made and source.same:
        return f"the same as {source.same}, computed once"
    if names and all(name == "cat" or is_view(node) for name, node in zip(names, made)):
        return "no kernel of its own: what it joins is written in place"
    if not made and source.used:
        return _SAME if source.target in _GIVING else "rewritten: the compiler keeps no trace of it"
    return "rewritten together with its neighbours" if left else _DEAD
