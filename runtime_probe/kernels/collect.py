"""Runs a program's first call under `torch.compile` with Inductor, and keeps what it generates for each graph.

Graphs have the numbers that the part `dynamo` gives them. Where the code is for a target that is not here, or need not
run, it is only generated: the program goes on with the operations of the graph one by one.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional
from unittest import mock

import torch

from runtime_probe import versions
from runtime_probe.dynamo.breaks import reason_of
from runtime_probe.job import describe
from runtime_probe.kernels import cudagraphs, eager, fusion, inductor, mapping, rows
from runtime_probe.kernels.gpu import devices, retarget, roofline, stand_in
from runtime_probe.kernels.gpu.devices import Device
from runtime_probe.kernels.parameters import Parameters
from runtime_probe.report import GraphCost, Kernel, Skip


@dataclass
class Graph:
    """One captured graph. `before`: the operations that AOTAutograd made of it; `ended`: why the graph ended, where a
    break did it."""

    number: int
    ancestry: mapping.Ancestry
    eager: eager.Eager
    ended: Optional[str]
    skips: List[Skip] = field(default_factory=list)
    before: List[Any] = field(default_factory=list)
    compiled: List[rows.Compiled] = field(default_factory=list)

    @property
    def used(self) -> List[rows.Compiled]:
        """The code that the program ran: a backward pass that it never asked for is left out."""
        return [made for made in self.compiled if (made.ran or not made.backward) and made.done]


class Collector:
    """`with Collector(device) as found:` around the call. `device`: what code is generated for, where that is not here;
    `priced`: what times are predicted for, that one or the GPU that is here."""

    def __init__(self, device: Optional[Device] = None) -> None:
        self.device = device
        self.priced = device
        self.graphs: List[Graph] = []
        self._number = 0
        self._ended: Optional[str] = None
        self._inside = False
        self._hooks = versions.Hooks()
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Collector:
        from torch._inductor import compile_fx

        self._real = compile_fx.compile_fx
        self._hooks.on_graph(self._on_graph)
        self._undo.enter_context(mock.patch.object(compile_fx, "compile_fx", self._compile))
        return self

    def __exit__(self, *_: object) -> None:
        self._hooks.undo()
        self._undo.close()

    # what Dynamo captures

    def _on_graph(self, real: Any, output: Any, module: Any, *rest: Any, **named: Any) -> Any:
        number = self._number
        self._number += 1
        ended: Any = getattr(output, "compile_subgraph_reason", None)
        self._ended = reason_of(str(ended.reason)) if getattr(ended, "graph_break", False) else None
        self._captured = number
        self._parameters = Parameters(getattr(output, "root_tx", None))
        try:
            return real(output, module, *rest, **named)
        except torch._dynamo.exc.RestartAnalysis:
            self._number = number
            self.graphs = [graph for graph in self.graphs if graph.number != number]
            raise

    def _compile(self, module: Any, inputs: Any, *rest: Any, **named: Any) -> Any:
        """In place of Inductor's `compile_fx`."""
        if self._inside or rest or named.get("inner_compile") is not None:
            return self._real(module, inputs, *rest, **named)
        given = named.pop("config_patches", None) or {}
        graph = self._graph(module, inputs)
        arguments = cudagraphs.arguments_of(module, self._parameters)
        here = self.device is None and any(t.is_cuda for t in inputs if isinstance(t, torch.Tensor))

        def inner(inner_module: Any, inner_inputs: Any, **how: Any) -> Any:
            return self._inner(graph, arguments, here, inner_module, inner_inputs, how)

        self._inside = True
        try:
            with inductor.settings(), _patched({**_still(given), **self._folding()}):
                return self._real(module, inputs, inner_compile=inner, **named)
        finally:
            self._inside = False

    def _folding(self) -> Dict[str, Any]:
        return {"joint_graph_constant_folding": False, "freezing": False} if self.device is not None else {}

    def _graph(self, module: Any, inputs: Any) -> Graph:
        ancestry = mapping.Ancestry(module)
        graph = Graph(self._captured, ancestry, eager.count(module, inputs), self._ended)
        graph.skips = cudagraphs.of_captured(graph.number, module, self._parameters)
        self.graphs.append(graph)
        return graph

    # what Inductor makes of it

    def _inner(
        self,
        graph: Graph,
        arguments: List[cudagraphs.Argument],
        here: bool,
        module: Any,
        inputs: Any,
        how: Dict[str, Any],
    ) -> Any:
        from torch._inductor import compile_fx

        backward = bool(how.get("is_backward"))
        made = rows.Compiled(backward)
        graph.compiled.append(made)
        graph.before += list(module.graph.nodes)
        if not backward:
            graph.ancestry.learn(module.graph)
        if here and self.priced is None:
            self.priced = devices.here()
        target = self.priced.key if self.priced is not None else "gpu" if here else "cpu"

        def told(lowering: Any, source: str, launches: List[inductor.Launch]) -> None:
            rows.fill(made, lowering, source, launches, graph.number, graph.ancestry, self.priced, target)
            rows.count_eager(made.rows, graph.eager, made.backward)

        run = inductor.run_on(module)
        try:
            with inductor.settings(), _patched(self._folding()), contextlib.ExitStack() as around:
                given, given_inputs = retarget.duplicate(module), inputs
                if self.device is not None:
                    given, given_inputs = retarget.moved(module, inputs)
                    around.enter_context(stand_in.pretended(self.device))
                if not here:
                    around.enter_context(inductor.without_compiler())
                around.enter_context(inductor.generating(told, stop=not here))
                compiled = compile_fx.compile_fx_inner(given, given_inputs, **how)
                if here:
                    run = compiled
                if not made.done:  # there is nothing to compute in it
                    made.done, made.after = True, list(module.graph.nodes)
        except Exception as error:
            if not made.done:
                made.error = describe(error)
        if made.done and not backward:
            static = how.get("static_input_idxs") or ()
            graph.skips += cudagraphs.of_rewritten(graph.number, arguments, module, made.mutated, static)

        def noting(args: List[Any]) -> Any:
            made.ran = True
            return run(args)

        noting._boxed_call = True  # type: ignore[attr-defined]
        return noting

    # the report

    def kernels(self) -> List[Kernel]:
        """The kernels of all graphs, in their order."""
        return [row for graph in self.graphs for made in graph.used for row in made.rows]

    def explain_breaks(self) -> None:
        """The last kernel of a graph that a break ended is not one with the first of the next graph."""
        forward = [(graph, [m for m in graph.used if not m.backward and m.rows]) for graph in self.graphs]
        for number, (graph, made) in enumerate(forward[:-1]):
            after = forward[number + 1][1]
            if graph.ended is not None and made and after:
                name = after[0].rows[0]["name"]
                made[0].rows[-1]["not_fused_because"].append({"with": name, "why": fusion.across_break(graph.ended)})

    def costs(self) -> List[GraphCost]:
        """What each graph takes, eagerly and fused."""
        return [self._cost(graph) for graph in self.graphs if graph.used]

    def _cost(self, graph: Graph) -> GraphCost:
        used = graph.used
        kernels = [row for made in used for row in made.rows]
        mapped = {name for row in kernels for name in row["nodes"]}
        ops = graph.eager.ops(any(made.backward for made in used))
        ratio = None
        if self.priced is not None and not graph.eager.error and not graph.eager.inside:
            fused = sum(row["predicted_us"] or 0.0 for row in kernels)
            ratio = round(roofline.of_eager(self.priced, ops) / fused, 3) if fused and ops else None
        after = [node for made in used for node in made.after]
        return {
            "graph": graph.number,
            "eager_launches": len(ops),
            "fused_launches": sum(made.launches for made in used),
            "eager_bytes": sum(op.bytes for op in ops),
            "fused_bytes": sum(row["bytes"] for row in kernels),
            "flops": sum(row["flops"] for row in kernels) or sum(op.flops for op in ops),
            "predicted_ratio": ratio,
            "target": kernels[0]["target"] if kernels else self.priced.key if self.priced is not None else "cpu",
            "unmapped": mapping.unmapped(graph.ancestry, mapped, graph.before, after),
        }

    def skips(self) -> List[Skip]:
        """Why CUDA graphs would not take the graphs, each reason once."""
        found: List[Skip] = []
        for graph in self.graphs:
            found += [skip for skip in graph.skips if skip not in found]
        return found

    def errors(self) -> List[str]:
        """What went wrong, graph by graph."""
        found = []
        for graph in self.graphs:
            if graph.eager.error:
                found.append(f"graph {graph.number}: its eager launches are not known ({graph.eager.error})")
            for name in dict.fromkeys(graph.eager.inside):
                found.append(f"graph {graph.number}: what {name} launches is not among its eager launches")
            for made in graph.compiled:
                if made.error and (made.ran or not made.backward):
                    which = "its backward pass" if made.backward else "it"
                    found.append(f"graph {graph.number}: Inductor generates no code for {which} ({made.error})")
        return found


def _still(given: Dict[str, Any]) -> Dict[str, Any]:
    """A program's own settings of Inductor, without those that try what is fastest or record CUDA graphs."""
    trying = ("autotune", "coordinate_descent", "cudagraphs", "benchmark")
    return {name: value for name, value in given.items() if not any(word in name for word in trying)}


def _patched(settings: Dict[str, Any]) -> Any:
    from torch._inductor import config

    return config.patch({name: value for name, value in settings.items() if "." in name or hasattr(config, name)})


@contextlib.contextmanager
def collecting(device: Optional[Device]) -> Iterator[Collector]:
    """A collector, and Dynamo without what it compiled before."""
    torch._dynamo.reset()
    with Collector(device) as found:
        yield found
