"""One change of the capturing call."""

from __future__ import annotations

import contextlib
import inspect
import re
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Tuple

import torch

from runtime_probe.structure import leaves, replaced
from runtime_probe.subject import Arguments, Instance, owner_of, signature_of

#: A tensor among the arguments, by its path in `[args, kwargs]`, and one of its dimensions.
Dimension = Tuple[str, int]

_POSITION = re.compile(r"\[0\]\[(\d+)\](.*)", re.DOTALL)
_KEYWORD = re.compile(r"\[1\]\['([^']+)'\](.*)", re.DOTALL)


def unchanged(path: str, leaf: Any) -> Any:
    """A leaf as it is."""
    return leaf


@dataclass(frozen=True)
class Change:
    """`leaf` is given every leaf of the arguments with its path, and returns what stands there now. `dimensions`: the
    sizes that are changed. `training` and `grad`: whether the mode of the module or of autograd is the other one."""

    text: str
    leaf: Callable[[str, Any], Any] = unchanged
    dimensions: Tuple[Dimension, ...] = ()
    seed: int = 0
    training: bool = False
    grad: bool = False

    def arguments(self, instance: Instance) -> Arguments:
        """Fresh arguments of the capturing call with the change in them."""
        args, kwargs = replaced(list(instance.arguments(0, 0)), self.leaf)
        return args, kwargs

    @contextlib.contextmanager
    def around(self, instance: Instance, captured: Any) -> Iterator[None]:
        """The surroundings of the changed call."""
        owner = module_of(instance)
        modules = [m for m in (owner, captured) if isinstance(m, torch.nn.Module)] if self.training else []
        modes = [{inner: inner.training for inner in module.modules()} for module in modules]
        mode = not getattr(owner, "training", False)
        try:
            for module in modules:
                module.train(mode)
            with torch.set_grad_enabled(torch.is_grad_enabled() != self.grad):
                yield
        finally:
            for known in modes:
                for inner, before in known.items():
                    inner.training = before


def module_of(instance: Instance) -> Any:
    """The module that is captured, or whose method is; None for a plain function."""
    owner = owner_of(instance.function)
    return owner if isinstance(owner, torch.nn.Module) else None


def label(path: str, instance: Instance) -> str:
    """A leaf's path as the program's author would write it: `x`, `batch['mask']`, `args[1]`."""
    keyword = _KEYWORD.match(path)
    if keyword:
        return keyword.group(1) + keyword.group(2)
    position = _POSITION.match(path)
    if not position:
        return path
    number = int(position.group(1))
    with contextlib.suppress(TypeError, ValueError):
        parameters = list(signature_of(instance.function).parameters.values())
        for index, parameter in enumerate(parameters):
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                return f"{parameter.name}[{number - index}]{position.group(2)}"
            if index == number:
                return parameter.name + position.group(2)
    return f"argument {number + 1}{position.group(2)}"


def leaves_of(instance: Instance) -> Iterator[Tuple[str, Any]]:
    """The leaves of the capturing call's arguments."""
    return leaves(list(instance.arguments(0, 0)))
