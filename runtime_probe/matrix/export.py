"""`torch.export`, with the dimensions that later calls change as dynamic ones."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

import torch
import torch.utils._pytree as pytree

from runtime_probe.matrix.judge import captured_with
from runtime_probe.structure import tensors
from runtime_probe.subject import Arguments, Instance, owner_of, signature_of

#: Dimensions of tensor arguments, by the tensors' paths in `[args, kwargs]`.
Dimensions = Sequence[Tuple[str, int]]


def export(instance: Instance, strict: bool = False, calls: int = 1, dynamic: Dimensions = ()) -> Any:
    """The module of the exported program. Dynamic are the dimensions that differ within the first `calls` calls, and
    those that are named."""

    def capture(function: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        module = function if isinstance(function, torch.nn.Module) else as_module(function)
        later = [instance.arguments(number, number) for number in range(1, calls)]
        named: Dict[int, Set[int]] = {}
        for path, tensor in tensors([args, kwargs]):
            named.setdefault(id(tensor), set()).update(d for other, d in dynamic if other == path)
        shapes = dynamic_shapes(signature_of(function), (args, kwargs), later, named)
        exported = torch.export.export(module, args, kwargs, dynamic_shapes=shapes, strict=strict)
        return exported.module()

    return captured_with(instance, capture)


def changed_sizes(value: torch.Tensor, later: Sequence[Any]) -> Set[int]:
    """The dimensions whose size differs in a later call."""
    same_rank = [o for o in later if isinstance(o, torch.Tensor) and o.dim() == value.dim()]
    return {d for other in same_rank for d in range(value.dim()) if other.shape[d] != value.shape[d]}


def as_module(function: Callable[..., Any]) -> torch.nn.Module:
    """A module that calls the function, with its signature, holding the module that a method is bound to."""

    class Calls(torch.nn.Module):
        def forward(self, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    given = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(function).parameters.values()]
    if given and given[0].kind is not inspect.Parameter.POSITIONAL_ONLY:
        own = [own[0].replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    Calls.forward.__signature__ = inspect.Signature([*own, *given])  # type: ignore[attr-defined]
    module = Calls()
    owner = owner_of(function)
    if isinstance(owner, torch.nn.Module):
        module.owner = owner
    return module


def dynamic_shapes(
    signature: inspect.Signature, first: Arguments, later: List[Arguments], named: Dict[int, Set[int]]
) -> Optional[Dict[str, Any]]:
    """The dynamic dimensions by argument name, as `torch.export` takes them: those that differ, and those `named` by
    the tensor's identity. None if there are none, or the calls differ in structure."""

    def spec(value: Any, *others: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return None
        dimensions = changed_sizes(value, others) | named.get(id(value), set())
        return dict.fromkeys(sorted(dimensions), torch.export.Dim.AUTO) or None

    try:
        bound = dict(signature.bind(*first[0], **first[1]).arguments)
        rest = [dict(signature.bind(*a, **k).arguments) for a, k in later]
        shapes = pytree.tree_map(spec, bound, *rest)
    except (TypeError, ValueError):
        return None
    found = pytree.tree_leaves(shapes, is_leaf=lambda v: v is None)
    return shapes if any(leaf is not None for leaf in found) else None
