"""One compiled graph in the report's form: its kernels, what they compute and move, and why they are several."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Set

from runtime_probe.kernels import fusion, inductor, mapping, traffic, wrapper
from runtime_probe.kernels.eager import Eager
from runtime_probe.kernels.gpu import roofline
from runtime_probe.kernels.gpu.devices import Device
from runtime_probe.report import Kernel


@dataclass
class Compiled:
    """The code of a graph, or of its backward pass. `ran`: whether the program called it; `done`:
    whether it was generated. `launches`: all calls of
    kernels in it; `after`: the nodes as Inductor rewrote them."""

    backward: bool
    ran: bool = False
    done: bool = False
    rows: List[Kernel] = field(default_factory=list)
    launches: int = 0
    source: str = ""
    after: List[Any] = field(default_factory=list)
    mutated: List[int] = field(default_factory=list)
    error: str = ""


@dataclass
class _Group:
    """The launches of one kernel: final nodes of the scheduler, and the rewritten nodes that they compute."""

    name: str
    extern: bool
    calls: List[str]
    finals: List[Any] = field(default_factory=list)
    origins: List[Any] = field(default_factory=list)


def fill(
    made: Compiled,
    lowering: Any,
    source: str,
    launches: List[inductor.Launch],
    number: int,
    ancestry: mapping.Ancestry,
    device: Optional[Device],
    target: str,
) -> None:
    """The rows of a graph for which Inductor has just generated code."""
    text = wrapper.read(source)
    made.source, made.launches, made.done = source, text.launches, True
    made.after = list(inductor.rewritten(lowering).graph.nodes)
    made.mutated = inductor.mutated_inputs(lowering)
    groups = _groups(lowering, launches, text)
    made.rows = [_row(group, text, number, ancestry, made.backward, device, target) for group in groups]
    known = [index for index, group in enumerate(groups) if group.finals]
    order = [groups[index].finals for index in known]
    _prepare([made.rows[index] for index in known], order)
    for first, second in fusion.pairs(order):
        row, other = made.rows[known[first]], made.rows[known[second]]
        row["not_fused_because"].append(
            {"with": other["name"], "why": fusion.why(lowering, order[first], order[second])}
        )


def _prepare(kernels: List[Kernel], finals: List[List[Any]]) -> None:
    """A kernel of which no node is told, as one that copies into another layout or draws a seed, has the lines of the
    first one that reads what it writes."""
    for index in reversed(range(len(kernels))):
        if not kernels[index]["lines"]:
            written = {name for node in finals[index] for name in inductor.buffers(node)[1]}
            for later in range(index + 1, len(kernels)):
                if any(written & set(inductor.buffers(node)[0]) for node in finals[later]):
                    kernels[index]["lines"] = dict(kernels[later]["lines"])
                    break


def _groups(lowering: Any, launches: List[inductor.Launch], text: wrapper.Wrapper) -> List[_Group]:
    """Launches by kernel, in their order; each call of a library is a group of its own."""
    final_of = {name: node for node in inductor.final_nodes(lowering) for name in inductor.operations_of(node)}
    left = {name: list(calls) for name, calls in text.calls.items()}
    groups: List[_Group] = []
    by_name: Dict[str, _Group] = {}
    for launch in launches:
        if launch.extern is not None:
            calls = left.get(launch.name) or []
            group = _Group(launch.name, True, [calls.pop(0)] if calls else [])
            groups.append(group)
            pieces, names = [launch.extern], [launch.extern.get_operation_name()]
        else:
            known = by_name.get(launch.name)
            if known is None:
                known = by_name[launch.name] = _Group(launch.name, False, left.pop(launch.name, []))
                groups.append(known)
            group, pieces = known, launch.nodes
            names = [name for node in launch.nodes for name in inductor.operations_of(node)]
        group.finals += _distinct(final_of[name] for name in names if name in final_of)
        for piece in pieces:
            group.origins += [node for node in inductor.origins(piece) if node not in group.origins]
    for name, calls in left.items():  # libraries of which nothing was told
        groups += [_Group(name, True, [call]) for call in calls]
    return groups


def _distinct(nodes: Any) -> List[Any]:
    found: Dict[int, Any] = {}
    for node in nodes:
        found.setdefault(id(node), node)
    return list(found.values())


def _row(
    group: _Group,
    text: wrapper.Wrapper,
    number: int,
    ancestry: mapping.Ancestry,
    backward: bool,
    device: Optional[Device],
    target: str,
) -> Kernel:
    computed = mapping.computing(group.origins)
    names: Set[str] = {name for node in computed for name in ancestry.of(node)}
    launches = len(group.calls)
    moved = sum(traffic.of(node) for node in group.finals)
    flops = sum(inductor.flops_of(node) for node in group.finals)
    types = [dtype for node in group.finals for dtype in inductor.dtypes(node)]
    time = roofline.of_kernel(device, launches, moved, flops, types[0] if types else "float32") if device else None
    return {
        "graph": number,
        "name": _shown_name(group.name) if device is not None else group.name,
        "language": "extern" if group.extern else _language(text.languages.get(group.name, "")),
        "source": "\n".join(group.calls) if group.extern else text.kernels.get(group.name, ""),
        "lines": ancestry.lines(computed),
        "nodes": [name for name in ancestry.sources if name in names],
        "launches": launches,
        "bytes": moved,
        "flops": flops,
        "eager_launches": 0,
        "eager_bytes": 0,
        "not_fused_because": [],
        "predicted_us": round(time, 3) if time is not None else None,
        "measured_us": None,
        "target": target,
        "ptx": None,
        "registers": None,
        "spills": None,
        "backward": backward,
    }


def _shown_name(name: str) -> str:
    """The graph is traced on the processor: its attention is another operation on a GPU, which one is not known."""
    return "scaled_dot_product_attention" if "_scaled_dot_product" in name and "for_cpu" in name else name


def _language(name: str) -> Any:
    return "triton" if name == "triton" else "cpp"


def count_eager(rows: List[Kernel], eager: Eager, backward: bool) -> None:
    """What the nodes of kernels take without compilation; a node counts once, in the first kernel."""
    ops = eager.backward if backward else eager.forward
    counted: Set[str] = set()
    for row in rows:
        for name in row["nodes"]:
            if name not in counted:
                counted.add(name)
                row["eager_launches"] += len(ops.get(name, ()))
                row["eager_bytes"] += sum(op.bytes for op in ops.get(name, ()))
        if row["language"] == "extern" and not row["flops"]:  # an operation that the scheduler has no count for
            row["flops"] = sum(op.flops for name in row["nodes"] for op in ops.get(name, ()))
