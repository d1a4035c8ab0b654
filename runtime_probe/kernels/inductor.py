"""The private parts of Inductor that the kernels are read from, all in this module but for `traffic`.

Read in the sources of 2.8 to 2.13. `missing` says what a release does not have; nothing else is tried then.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple
from unittest import mock

#: Where Inductor tells which nodes a kernel is called for. The modules that import it by name hold it too.
_TOLD = "set_kernel_post_grad_provenance_tracing"

_NEEDED = (
    ("torch._inductor.graph", "GraphLowering.codegen"),
    ("torch._inductor.compile_fx", "compile_fx"),
    ("torch._inductor.compile_fx", "compile_fx_inner"),
    ("torch._inductor.debug", _TOLD),
    ("torch._inductor.scheduler", "Scheduler.can_fuse"),
    ("torch._inductor.scheduler", "WhyNoFuse.__call__"),
    ("torch._inductor.scheduler", "BaseSchedulerNode.get_read_write_buffers_sizes"),
)


def one_process() -> None:
    """Let Inductor start no processes of its own; before it is imported for the first time."""
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    os.environ.setdefault("TORCH_WARM_POOL", "0")


@contextlib.contextmanager
def own_caches() -> Iterator[None]:
    """Inside, what is generated goes to a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="kernels-") as folder:
        paths = {name: os.path.join(folder, name) for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")}
        with mock.patch.dict(os.environ, paths):
            yield


def missing() -> List[str]:
    """What of Inductor's inside this torch does not have."""
    lacking = []
    for module, name in _NEEDED:
        try:
            found: Any = importlib.import_module(module)
            for part in name.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError):
            lacking.append(name)
    return lacking


@dataclass
class Launch:
    """One call of a kernel in the generated code. `nodes`: the scheduler's nodes that it is for; `extern`: the call of
    a library that it is instead."""

    name: str
    nodes: List[Any] = field(default_factory=list)
    extern: Any = None


class Stopped(Exception):
    """The code is generated and told: it is not needed any more."""


@contextlib.contextmanager
def generating(told: Callable[[Any, str, List[Launch]], None], stop: bool) -> Iterator[None]:
    """Inside, `told(graph lowering, wrapper's text, launches)` for each graph for which Inductor generates code, while
    all of its handlers are in place; with `stop` it then goes no further, and compiles nothing."""
    from torch._inductor.graph import GraphLowering

    launches: List[Launch] = []
    real = GraphLowering.codegen

    def note(schedule: Any, name: str, is_extern: bool = False) -> None:
        if is_extern:
            launches.append(Launch(str(name), extern=schedule))
        else:
            launches.append(Launch(str(name), [n for n in schedule if getattr(n, "node", None) is not None]))

    def codegen(lowering: Any) -> Any:
        launches.clear()
        result = real(lowering)
        told(lowering, _text(result[0]), list(launches))
        if stop:
            raise Stopped
        return result

    with contextlib.ExitStack() as patches:
        for module in [m for n, m in list(sys.modules.items()) if n.startswith("torch._inductor.")]:
            if _TOLD in vars(module):
                patches.enter_context(mock.patch.object(module, _TOLD, note))
        patches.enter_context(mock.patch.object(GraphLowering, "codegen", codegen))
        yield


def _text(code: Any) -> str:
    return str(getattr(code, "value", code))


@contextlib.contextmanager
def without_compiler() -> Iterator[None]:
    """Inside, the vector instructions are those of the processor, without asking a C++ compiler whether it knows them,
    which takes a minute the first time."""
    from torch._inductor import config, cpu_vec_isa

    clear = getattr(getattr(cpu_vec_isa, "valid_vec_isa_list", None), "cache_clear", lambda: None)
    if not hasattr(config.cpp, "vec_isa_ok"):
        yield
        return
    clear()
    try:
        with config.patch({"cpp.vec_isa_ok": True}):
            yield
    finally:
        clear()


def settings() -> Any:
    """A context in which Inductor compiles afresh, here, without running anything to find out what is fastest."""
    from torch._inductor import config

    wanted: Dict[str, Any] = {
        "compile_threads": 1,
        "force_disable_caches": True,
        "max_autotune": False,
        "benchmark_kernel": False,
    }
    return config.patch({name: value for name, value in wanted.items() if hasattr(config, name)})


# the nodes of a finished graph


def final_nodes(lowering: Any) -> List[Any]:
    """What the scheduler made of the graph, in order: each is at most one kernel."""
    return list(lowering.scheduler.nodes)


def pieces(node: Any) -> List[Any]:
    """The nodes before fusion that a final one is made of."""
    return list(node.get_nodes())


def origins(node: Any) -> List[Any]:
    """The nodes of the graph after Inductor's rewriting that a piece, or an extern call, computes. The call of a
    library lists those that made its inputs among its own: only the one that it stands for counts."""
    inner = getattr(node, "node", node)
    exact = getattr(inner, "origin_node", None)
    if exact is not None and _is_extern(inner):
        return [exact]
    found = list(getattr(inner, "origins", ()))
    if _is_extern(inner) and found:
        feeding = {source for node in found for source in node.all_input_nodes}
        return [node for node in found if node not in feeding] or found
    return found


def _is_extern(inner: Any) -> bool:
    return any(kind.__name__ in ("ExternKernel", "TemplateBuffer") for kind in type(inner).__mro__)


def is_extern(node: Any) -> bool:
    """Whether a final node is the call of a library."""
    return bool(node.is_extern())


def is_reduction(node: Any) -> bool:
    return bool(node.is_reduction())


def loops(node: Any) -> str:
    """The sizes of a final node's loops."""
    return str(getattr(node, "group", (None, ""))[1])


def device_of(node: Any) -> str:
    return str(node.get_device())


def dtypes(node: Any) -> List[str]:
    """The types of what a final node writes."""
    found = []
    for output in node.get_outputs():
        dtype = getattr(output.node, "maybe_get_dtype", lambda: None)()
        if dtype is not None:
            found.append(str(dtype).replace("torch.", ""))
    return found


def operations_of(node: Any) -> List[str]:
    return [str(name) for name in node.get_operation_names()]


def flops_of(node: Any) -> int:
    """The operations of matrix products, convolutions and attention in a final node."""
    try:
        return int(node.estimate_flops() or 0)
    except Exception:  # an operation whose count needs what is not there
        return 0


def buffers(node: Any) -> Tuple[List[str], List[str]]:
    """The buffers that a final node reads, and those that it writes."""
    reads = [str(dep.name) for dep in node.read_writes.reads]
    return reads, [str(dep.name) for dep in node.read_writes.writes]


def refusals(lowering: Any, first: Any, second: Any) -> List[str]:
    """What the scheduler has to say against making one kernel of two final nodes; what it tries on the way changes
    them."""
    from torch._inductor import scheduler

    said: List[str] = []

    def note(_: Any, reason: str, *args: Any) -> None:
        said.append(reason % args if args else reason)

    with mock.patch.object(scheduler.WhyNoFuse, "__call__", note), contextlib.suppress(Exception):
        lowering.scheduler.can_fuse(first, second)
    return said


def index_mismatch(lowering: Any, first: Any, second: Any, shared: Sequence[str]) -> str:
    """How two final nodes go through the buffers that both use."""
    from torch.utils._ordered_set import OrderedSet

    with contextlib.suppress(Exception):
        found = lowering.scheduler.decide_fusion_fail_reason(first, second, OrderedSet(shared))
        return str(found).strip("{}")
    return ""


# CUDA graphs


def incompatible(graph: Any) -> Any:
    """The first node of a graph that no CUDA graph can hold, by Inductor's own list."""
    from torch._inductor import utils

    first = getattr(utils, "get_first_incompatible_cudagraph_node", None)
    return first(graph) if first is not None else None


def mutated_inputs(lowering: Any) -> List[int]:
    return sorted(int(index) for index in getattr(lowering, "mutated_input_idxs", ()))


def rewritten(lowering: Any) -> Any:
    """The graph as Inductor rewrote it."""
    return lowering.module


def run_on(module: Any) -> Callable[[List[Any]], Any]:
    """Runs a graph operation by operation, as AOTAutograd calls compiled code."""

    def run(args: List[Any]) -> Any:
        given = list(args)
        args.clear()
        return module(*given)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run
