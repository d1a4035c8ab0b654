"""A captured FX graph in the report's form: its nodes with the lines that they came from, and its code."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

import torch

from runtime_probe.dynamo import places
from runtime_probe.dynamo.guards import readable
from runtime_probe.job import one_line
from runtime_probe.report import Graph, Node, Symbol

#: The code of a graph is cut at so many characters; its nodes are all there.
MOST_CODE = 400_000
_ITEM = re.compile(r"\[['\"]?(\w+)['\"]?\]")
_FILE = re.compile(r'File "([^"]+)", line (\d+)')


def of_module(number: int, module: Any, evaluated: Iterable[Tuple[str, int]] = ()) -> Graph:
    """The graph of a `torch.fx.GraphModule`; `evaluated`: the lines that were evaluated for it."""
    nodes = [_node(node) for node in module.graph.nodes]
    lines = [(made["path"], made["line"]) for made in nodes if made["path"] is not None and made["line"] is not None]
    return {
        "id": number,
        "lines": _by_path(lines),
        "evaluated": _by_path(evaluated),
        "code": _bounded(module.code.strip()),
        "nodes": nodes,
    }


def _by_path(lines: Iterable[Tuple[str, int]]) -> Dict[str, str]:
    found: Dict[str, Set[int]] = {}
    for path, line in lines:
        found.setdefault(path, set()).add(line)
    return {path: line_ranges(numbers) for path, numbers in sorted(found.items())}


def _bounded(code: str) -> str:
    """Whole lines up to a limit, and how many are left out."""
    if len(code) <= MOST_CODE:
        return code
    shown = code[:MOST_CODE].rpartition("\n")[0]
    left = code[len(shown) :].count("\n")
    return f"{shown}\n    # … and {left:,} more lines"


def line_ranges(lines: Set[int]) -> str:
    """Line numbers as `12-18,20`."""
    parts: List[List[int]] = []
    for line in sorted(lines):
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def _node(node: Any) -> Node:
    path, line = place_of(node.meta.get("stack_trace"))
    value = node.meta.get("example_value", node.meta.get("val"))
    return {
        "op": node.op,
        "name": node.name,
        "target": _target(node.target),
        "args": one_line(_arguments(node), 200),
        "inputs": [read.name for read in node.all_input_nodes],
        "module": _module(node),
        "shape": [str(size) for size in value.shape] if isinstance(value, torch.Tensor) else None,
        "dtype": str(value.dtype).replace("torch.", "") if isinstance(value, torch.Tensor) else None,
        "path": path,
        "line": line,
    }


def _module(node: Any) -> str:
    """The module that a node is of. An argument of the graph has the stack of whatever reads it first: it is of that
    module only if it is its parameter."""
    stack = [entry[0] for entry in (node.meta.get("nn_module_stack") or {}).values()]
    name = _ITEM.sub(r".\1", readable(str(stack[-1]))) if stack else ""
    if node.op == "placeholder" and name:
        source = getattr(node.meta.get("grapharg"), "source", None)
        held = _ITEM.sub(r".\1", source_name(source)) if source is not None else ""
        name = name if held.startswith(f"{name}.") else ""
    return "" if name == "self" else name[len("self.") :] if name.startswith("self.") else name


def place_of(trace: Optional[str]) -> Tuple[Optional[str], Optional[int]]:
    """The innermost place of the user's or a package's in a node's stack trace."""
    for path, line in reversed(_FILE.findall(trace or "")):
        if places.is_inside(path):
            return path, int(line)
    return None, None


def _target(target: Any) -> str:
    if isinstance(target, str):
        return target
    name = getattr(target, "__name__", None) or str(target)
    module = getattr(target, "__module__", "") or ""
    return name if module in ("", "builtins", "_operator") or "." not in f"{module}." else f"{module}.{name}"


def _arguments(node: Any) -> str:
    if node.op == "placeholder":
        return ""
    return ", ".join([*map(str, node.args), *(f"{name}={value}" for name, value in node.kwargs.items())])


def symbols_of(shape_env: Any) -> List[Symbol]:
    """The symbolic sizes of a graph, with the range each may have and the line that narrowed it."""
    found: List[Symbol] = []
    ranges = getattr(shape_env, "var_to_range", {})
    sources = getattr(shape_env, "var_to_sources", {})
    stacks = getattr(shape_env, "var_to_stack", {})
    for symbol, bounds in ranges.items():
        names = sources.get(symbol) or ()
        _, frame = places.innermost(_frames_of(stacks.get(symbol)))
        found.append(
            {
                "name": str(symbol),
                "source": source_name(names[0]) if names else "",
                "range": f"[{_bound(bounds.lower)}, {_bound(bounds.upper)}]",
                "path": frame.filename if frame is not None else None,
                "line": frame.lineno if frame is not None else None,
            }
        )
    return found


def _frames_of(stack: Any) -> List[Any]:
    """The frames of a stack, which for a size that depends on data is captured but not yet looked up."""
    summary = getattr(stack, "summary", None)
    return list((summary() if callable(summary) else stack) or ())


def inputs_of(module: Any) -> Dict[str, str]:
    """The tensors that a graph takes, by the source that it takes them from: `float32[s0, 64] cpu`."""
    found = {}
    for node in module.graph.nodes:
        source = getattr(node.meta.get("grapharg"), "source", None)
        value = node.meta.get("example_value")
        if source is not None and isinstance(value, torch.Tensor):
            sizes = ", ".join(map(str, value.shape))
            grad = ", requires grad" if value.requires_grad else ""
            found[source_name(source)] = f"{str(value.dtype).replace('torch.', '')}[{sizes}] {value.device}{grad}"
    return found


def source_name(source: Any) -> str:
    """Where a graph takes an input from, as the program would write it."""
    name = source.name
    text = name() if callable(name) else name  # a method up to 2.9
    return readable(str(text))


def _bound(value: Any) -> str:
    text = str(value)
    return {"int_oo": "∞", "-int_oo": "-∞", "oo": "∞", "-oo": "-∞"}.get(text, text)
