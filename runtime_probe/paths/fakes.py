"""Tensors without data, for programs that are too large to run here."""

from __future__ import annotations

import contextlib
import functools
from typing import Any, ContextManager

import torch


def tensors(fake: bool) -> ContextManager[Any]:
    """Inside, if `fake`, tensors are made without data, and operators compute shapes alone. Gives the mode, or None.
    Its `compare(natural)`, once set, answers `torch.equal` and `torch.allclose`."""
    if not fake:
        return contextlib.nullcontext()
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    mode: ContextManager[Any] = _mode_type()(allow_non_fake_inputs=True, shape_env=ShapeEnv())
    return mode


@functools.cache
def _mode_type() -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    compared = (torch.ops.aten.equal.default, torch.ops.aten.allclose.default)

    class Mode(FakeTensorMode):  # type: ignore[no-untyped-call]
        compare: Any = None

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func in compared and self.compare is not None:
                return self.compare(lambda: super(Mode, self).__torch_dispatch__(func, types, args, kwargs or {}))
            return super().__torch_dispatch__(func, types, args, kwargs or {})

    return Mode
