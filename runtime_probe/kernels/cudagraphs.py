"""Why CUDA graphs would not take a captured graph, or only pieces of it, told from the graph alone.

A CUDA graph replays launches with the addresses that it was recorded with: memory of the processor, an input that is
written to, a size that changes and a value that the host must wait for do not go into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import torch

from runtime_probe.dynamo import graphs, places
from runtime_probe.kernels import inductor
from runtime_probe.kernels.parameters import Parameters
from runtime_probe.report import Skip

#: Functions whose result is on the processor unless `device=` says otherwise.
_FACTORIES = frozenset(
    "tensor as_tensor arange zeros ones empty full eye linspace logspace rand randn randint randperm normal "
    "scalar_tensor tril_indices triu_indices from_numpy hann_window hamming_window".split()
)
_IN_PLACE = frozenset("setitem iadd isub imul itruediv ifloordiv ipow iand ior ixor".split())

Place = Tuple[Optional[str], Optional[int]]


def of_captured(number: int, module: Any, parameters: Parameters) -> List[Skip]:
    """What the captured graph itself shows: memory of the processor, sizes that change."""
    found = [_skip(number, reason, node.name, node) for node in module.graph.nodes for reason in _on_cpu(node)]
    for node in module.graph.nodes:
        value = node.meta.get("example_value")
        if node.op == "placeholder" and isinstance(value, torch.Tensor):
            symbols = [str(size) for size in value.shape if isinstance(size, torch.SymInt)]
            if symbols:
                reason = f"dynamic shape ({', '.join(symbols)}): one CUDA graph is recorded for each size"
                found.append(_skip(number, reason, argument_of(node, parameters), node))
    return found


def _on_cpu(node: Any) -> Iterable[str]:
    target = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    if node.op == "call_function" and target in _FACTORIES and node.kwargs.get("device") is None:
        if not any(isinstance(argument, torch.fx.Node) for argument in node.all_input_nodes):
            yield "on the CPU: it is made without device="
    elif node.op == "call_method" and target == "cpu":
        yield "on the CPU: .cpu() in the graph"
    elif node.op == "call_method" and target == "to" and "cpu" in (*node.args, *node.kwargs.values()):
        yield "on the CPU: .to('cpu') in the graph"


@dataclass
class Argument:
    """An input of a graph: its name in the program, and where it or a view of it is first written to."""

    name: str
    written: Place


def arguments_of(module: Any, parameters: Parameters) -> List[Argument]:
    """The inputs of a captured graph, in their order."""
    inputs = [node for node in module.graph.nodes if node.op == "placeholder"]
    return [Argument(argument_of(node, parameters), _written_at(node)) for node in inputs]


def of_rewritten(
    number: int, arguments: Sequence[Argument], inner: Any, mutated: Sequence[int], static: Iterable[int]
) -> List[Skip]:
    """What shows in the forward graph that Inductor got: inputs that it writes to, operations that no CUDA graph can
    hold."""
    found: List[Skip] = []
    fixed = set(static)
    for index in mutated:
        if index not in fixed and index < len(arguments):
            argument = arguments[index]
            place = argument.written if argument.written[0] is not None else _copied_at(inner, index)
            found.append(_skip(number, "mutated input: it is written to in place", argument.name, None, place))
    odd = inductor.incompatible(inner)
    if odd is not None:
        name = str(odd.target)
        place = graphs.place_of(getattr(odd, "stack_trace", None))
        reads = "_local_scalar_dense" in name or "nonzero" in name or "unbacked" in name
        reason = "host read: its value is only known on the host" if reads else "incompatible operation"
        found.append(_skip(number, reason, name, None, place))
    return found


def argument_of(node: Any, parameters: Parameters) -> str:
    """The name that the program has for an input of a graph."""
    source = getattr(node.meta.get("grapharg"), "source", None)
    return parameters.readable(graphs.source_name(source)) if source is not None else str(node.name)


def _written_at(argument: Any) -> Place:
    """The first in-place operation on an input or on what is made of it, in the captured graph."""
    for node in _flow(argument):
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
        if (name.endswith("_") and not name.endswith("__")) or name in _IN_PLACE:
            path, line = graphs.place_of(node.meta.get("stack_trace"))
            if path is not None:
                return path, line
    return None, None


def _copied_at(inner: Any, index: int) -> Place:
    """The copy into an input at the end of the graph, which keeps the stack of what is copied."""
    inputs = [node for node in inner.graph.nodes if node.op == "placeholder"]
    for user in inputs[index].users if index < len(inputs) else ():
        if "copy_" in str(user.target):
            return graphs.place_of(getattr(user, "stack_trace", None))
    return None, None


def _flow(argument: Any) -> List[Any]:
    """The nodes that read an input, and those that read its views, in order."""
    found: Dict[Any, None] = {}
    waiting = [argument]
    while waiting:
        for user in waiting.pop().users:
            if user not in found and user.op in ("call_function", "call_method"):
                found[user] = None
                if len(found) < 200:
                    waiting.append(user)
    return sorted(found)


def _skip(number: int, reason: str, subject: str, node: Any, place: Optional[Place] = None) -> Skip:
    path, line = place if place is not None else graphs.place_of(node.meta.get("stack_trace"))
    shown = path is not None and places.is_inside(path)
    return {
        "graph": number,
        "reason": reason,
        "subject": subject,
        "path": path if shown else None,
        "line": line if shown else None,
        "predicted": True,
    }
