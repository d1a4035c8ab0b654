"""Changes of values, element types, numbers and modes."""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Tuple

import torch

from runtime_probe.matrix.perturb.change import Change, label, leaves_of, module_of
from runtime_probe.matrix.perturb.sizes import SWEEP
from runtime_probe.subject import Instance

#: How many numbers among the arguments are varied at most.
MOST = 4
ANOTHER_SEED = 1


def floats(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[str, Any], Any]:
    """A change of every floating-point or complex tensor; they keep whether they require a gradient."""

    def leaf(path: str, value: Any) -> Any:
        if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
            with torch.no_grad():
                made = change(value.detach())
            return made.requires_grad_(value.requires_grad)
        if isinstance(value, torch.Tensor) and value.dtype is torch.bool and change is torch.neg:
            return ~value
        return value

    return leaf


def integers(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[str, Any], Any]:
    """A change of every tensor of integers."""

    def leaf(path: str, value: Any) -> Any:
        whole = isinstance(value, torch.Tensor) and not (
            value.is_floating_point() or value.is_complex() or value.dtype is torch.bool
        )
        return change(value) if whole else value

    return leaf


def other_values() -> Iterator[Change]:
    """Other values for the tensors: the first is always tried, the rest where a predicate takes another way for it."""
    yield Change("values negated", floats(torch.neg))
    yield Change("values zero", floats(torch.zeros_like))
    yield Change("values one", floats(torch.ones_like))
    yield Change("values × 10", floats(lambda t: t * 10))
    yield Change("values ÷ 10", floats(lambda t: t / 10))
    yield Change("values + 1", floats(lambda t: t + 1))
    yield Change("values − 1", floats(lambda t: t - 1))
    yield Change("values reversed", floats(_reversed))
    yield Change("values nan", floats(lambda t: torch.full_like(t, float("nan"))))
    yield Change("integers zero", integers(torch.zeros_like))
    yield Change("integers + 1", integers(lambda t: t + 1))
    yield Change("integers negated", integers(lambda t: -t if t.dtype.is_signed else t))
    yield Change("integers reversed", integers(_reversed))


def _reversed(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.flatten().flip(0).reshape(tensor.shape)


def other_types() -> Iterator[Change]:
    """Other element types for the floating-point tensors."""
    for dtype in (torch.float64, torch.bfloat16):
        name = str(dtype).replace("torch.", "")
        yield Change(f"dtype {name}", floats(lambda t, dtype=dtype: t.to(dtype)))  # type: ignore[misc]


def other_modes(instance: Instance) -> Iterator[Change]:
    """The same call again; from another seed; in the other training mode and in the other grad mode."""
    yield Change("called again")
    yield Change("another random seed", seed=ANOTHER_SEED)
    module = module_of(instance)
    if module is not None:
        yield Change("module.eval()" if module.training else "module.train()", training=True)
    yield Change("under torch.no_grad()" if torch.is_grad_enabled() else "under torch.enable_grad()", grad=True)


def numbers(instance: Instance) -> List[Tuple[str, Any]]:
    """The Python numbers among the arguments, with their paths."""
    return [(p, v) for p, v in leaves_of(instance) if isinstance(v, (bool, int, float))][:MOST]


def other_number(instance: Instance, path: str, old: Any, step: int = 1) -> Change:
    """Another number in its place: a flag the other way round, a number more by `step`."""
    new = (not old) if isinstance(old, bool) else old + step
    return Change(f"{label(path, instance)}: {old} → {new}", lambda p, v: new if p == path else v)


def number_sweep(instance: Instance, path: str, old: Any) -> List[Change]:
    """One number after the other in its place."""
    return [other_number(instance, path, old, step) for step in range(1, SWEEP + 1)]
