"""The frontends that make one graph ahead of the calls: trace, fx and script."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import torch
import torch.fx

from runtime_probe.matrix.judge import captured_with
from runtime_probe.subject import Instance, signature_of


def trace(instance: Instance) -> Any:
    """`torch.jit.trace`; keyword arguments go in by name, a mixture of both is bound to the signature."""

    def capture(function: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if kwargs and args:
            kwargs = dict(signature_of(function).bind(*args, **kwargs).arguments)
        if kwargs:
            return torch.jit.trace(function, example_kwarg_inputs=kwargs, check_trace=False)  # type: ignore[no-untyped-call]
        return torch.jit.trace(function, args, check_trace=False)  # type: ignore[no-untyped-call]

    return captured_with(instance, capture)


def fx(instance: Instance) -> Any:
    """`torch.fx.symbolic_trace`, which takes no arguments."""
    return captured_with(instance, lambda function, args, kwargs: torch.fx.symbolic_trace(function))


def script(instance: Instance) -> Any:
    """`torch.jit.script`."""
    return captured_with(instance, lambda function, args, kwargs: torch.jit.script(function))
