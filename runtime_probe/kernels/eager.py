"""What a graph takes without compilation: the operations that PyTorch would launch one by one, and what they move.

The graph is run on fake tensors, which have sizes and no data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from runtime_probe.job import describe

#: Operations that launch nothing and are not marked as views: they allocate, or give what they were given.
_NOTHING = frozenset(
    "_unsafe_view _reshape_alias detach alias lift_fresh empty empty_like empty_strided new_empty new_empty_strided "
    "sym_size sym_stride sym_numel sym_storage_offset is_same_size _assert_async _assert_scalar set_ resize_".split()
)

#: Operations that only write their first tensor, besides those that are named `…_like` and `new_…`.
_WRITTEN_ONLY = frozenset(
    "copy_ fill fill_ zero_ normal_ uniform_ random_ exponential_ geometric_ cauchy_ log_normal_ bernoulli_".split()
)
#: Operations that read no more of their first tensor than they return.
_PICKING = frozenset("embedding index_select index gather take".split())
#: Operations that read and write no more of their first tensor than what the others hold.
_PUTTING = frozenset(
    "index_put_ index_copy_ index_add_ index_fill_ scatter_ scatter_add_ scatter_reduce_ _index_put_impl_".split()
)


@dataclass
class Op:
    """One launched operation: bytes read and written, floating-point operations, and the type that it computes in."""

    bytes: int
    flops: int
    dtype: str


@dataclass
class Eager:
    """By name of the node that they come from: the operations of a graph and, under the same names, those of its
    backward pass; `rest` are those of the backward pass that belong to no node. `inside`: higher-order operators, of
    which it is not known what they run. `error`: why nothing is known."""

    forward: Dict[str, List[Op]] = field(default_factory=dict)
    backward: Dict[str, List[Op]] = field(default_factory=dict)
    rest: List[Op] = field(default_factory=list)
    inside: List[str] = field(default_factory=list)
    error: str = ""

    def ops(self, backward: bool) -> List[Op]:
        """All operations, with those of the backward pass or without."""
        found = [op for ops in self.forward.values() for op in ops]
        return found + [op for ops in self.backward.values() for op in ops] + self.rest if backward else found


def is_nothing(op: Any) -> bool:
    """Whether an operation launches no kernel."""
    return _name(op) in _NOTHING or bool(getattr(op, "is_view", False))


def _name(op: Any) -> str:
    return str(getattr(op, "_schema", op)).split("(")[0].split("::")[-1].split(".")[0]


class _Counting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Appends each launched operation to `ops`, or hands it to `of` in the backward pass."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.ops: List[Op] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if not is_nothing(func) and _tensors(out):
            self.take(Op(_moved(_name(func), (args, kwargs), out), _flops(func, args, kwargs, out), _dtype(out)))
        return out

    def take(self, op: Op) -> None:
        self.ops.append(op)


class _BackwardCounting(_Counting):  # type: ignore[no-untyped-call]
    """Gives each operation to the node whose part of the autograd graph runs."""

    def __init__(self, eager: Eager, numbers: Sequence[Tuple[int, int, str]]) -> None:
        super().__init__()
        self.eager = eager
        self.numbers = numbers

    def take(self, op: Op) -> None:
        current = torch._C._current_autograd_node()
        number = current._sequence_nr() if current is not None else -1
        name = next((name for first, end, name in self.numbers if first <= number < end), None)
        (self.eager.backward.setdefault(name, []) if name is not None else self.eager.rest).append(op)


def _tensors(tree: Any) -> List[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def _moved(name: str, read: Any, written: Any) -> int:
    """Bytes of the tensors read, each once, and of those written. One that is expanded is as large as its memory."""
    reads = [_size(tensor) for tensor in {id(tensor): tensor for tensor in _tensors(read)}.values()]
    writes = [_size(tensor) for tensor in _tensors(written)]
    if reads and (name in _WRITTEN_ONLY or name.endswith("_like") or name.startswith("new_")):
        reads[0] = 0
    elif reads and name in _PICKING:
        reads[0] = min(reads[0], sum(writes))
    elif reads and name in _PUTTING:
        reads[0], writes = min(reads[0], sum(reads[1:])), [min(size, sum(reads[1:])) for size in writes]
    return sum(reads) + sum(writes)


def _size(tensor: torch.Tensor) -> int:
    size = int(tensor.numel()) * tensor.element_size()
    try:
        return min(size, int(tensor.untyped_storage().nbytes()))
    except (RuntimeError, NotImplementedError):
        return size


def _flops(func: Any, args: Any, kwargs: Any, out: Any) -> int:
    from torch.utils.flop_counter import flop_registry

    counter = flop_registry.get(getattr(func, "_overloadpacket", None))
    try:
        if counter is None and "_scaled_dot_product" in str(func) and "backward" not in str(func):
            return _attention(*args[:3])
        return int(counter(*args, **kwargs, out_val=out)) if counter is not None else 0
    except Exception:  # a count that expects other arguments
        return 0


def _attention(query: Any, key: Any, value: Any) -> int:
    """Both products of attention, for the variants that torch's own table lacks."""
    *batch, queries, width = (int(size) for size in query.shape)
    keys, out_width = int(key.shape[-2]), int(value.shape[-1])
    return 2 * math.prod(batch) * queries * keys * (width + out_width)


def _dtype(out: Any) -> str:
    found = _tensors(out)
    return str(found[0].dtype).replace("torch.", "") if found else "float32"


def count(module: Any, inputs: Iterable[Any]) -> Eager:
    """Run a graph, and its backward pass where an output has one, on fakes of its inputs."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    eager = Eager()
    try:
        known = ShapeEnv(allow_scalar_outputs=True, allow_dynamic_output_shape_ops=True)
        with FakeTensorMode(allow_non_fake_inputs=True, shape_env=known):
            fakes = [_fake(value) for value in inputs]
            numbers: List[Tuple[int, int, str]] = []
            out = _Stepping(module, eager, numbers).run(*fakes)
            _backward(out, fakes, eager, numbers)
    except Exception as error:
        eager.error = describe(error, 200)
    return eager


class _Stepping(torch.fx.Interpreter):
    """Runs a graph node by node, counting what each launches and the autograd nodes that it makes."""

    def __init__(self, module: Any, eager: Eager, numbers: List[Tuple[int, int, str]]) -> None:
        super().__init__(module)
        self.eager = eager
        self.numbers = numbers
        self._products, self._copies = _split_operations(module)
        self._held: Dict[Any, Tuple[Op, int]] = {}

    def run_node(self, n: Any) -> Any:
        first = _sequence()
        try:
            with _Counting() as counting:
                result = super().run_node(n)
        except NotImplementedError:  # an operator that runs under no mode but its own
            if not isinstance(n.target, torch._ops.HigherOrderOperator):
                raise
            self.eager.inside.append(str(n.target))
            result = super().run_node(n)
        if n in self._products and len(counting.ops) == 1:
            self._held[self._products[n]] = (counting.ops[0], _size(result))
        elif n in self._held and counting.ops:
            product, between = self._held.pop(n)
            whole = counting.ops[-1]
            whole.bytes += product.bytes - 2 * between  # the product is neither written nor read
            self.eager.forward[n.name] = [whole]
        elif counting.ops and n not in self._copies:
            self.eager.forward[n.name] = counting.ops
        if n.op not in ("placeholder", "output"):
            self.numbers.append((first, _sequence(), n.name))
        return result


def _split_operations(module: Any) -> Tuple[Dict[Any, Any], Set[Any]]:
    """TorchDynamo makes three nodes of `x.addcmul_(a, b, value=v)` and of `addcdiv_`, which are one launch: a product,
    or a quotient, a fused multiply-add, which no program calls by itself, and a copy into x. The products by their
    multiply-add, and the copies."""
    products: Dict[Any, Any] = {}
    copies: Set[Any] = set()
    for node in module.graph.nodes:
        if node.op != "call_function" or _name(node.target) != "fma":
            continue
        product = node.args[0]
        if getattr(product, "target", None) in (torch.mul, torch.div) and list(product.users) == [node]:
            if product.meta.get("stack_trace") == node.meta.get("stack_trace"):
                products[product] = node
        for user in node.users:
            if user.target == "copy_" and user.args[:1] == node.args[2:3]:
                copies.add(user)
    return products, copies


def _sequence() -> int:
    number = getattr(torch.autograd, "_get_sequence_nr", None)
    return int(number()) if number is not None else 0


def _backward(out: Any, inputs: Sequence[Any], eager: Eager, numbers: Sequence[Tuple[int, int, str]]) -> None:
    outputs = [t for t in _tensors(out) if t.requires_grad and t.grad_fn is not None]
    leaves = [t for t in _tensors(list(inputs)) if t.requires_grad]
    if not outputs or not leaves:
        return
    tangents = [torch.empty_like(t) for t in outputs]
    with _BackwardCounting(eager, numbers):
        torch.autograd.grad(outputs, leaves, tangents, allow_unused=True)


def _fake(value: Any) -> Any:
    """A tensor without data like another one, with numbers for sizes; a number for a symbol."""
    if isinstance(value, torch.Tensor):
        size, stride = [_number(s) for s in value.size()], [_number(s) for s in value.stride()]
        made = torch.empty_strided(size, stride, dtype=value.dtype, device=value.device)
        return made.requires_grad_(value.requires_grad) if value.requires_grad else made
    return _number(value)


def _number(value: Any) -> Any:
    node: Optional[Any] = getattr(value, "node", None)
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)) and node is not None:
        return node.hint
    return value
