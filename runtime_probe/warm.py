"""Runs each frontend once on a tiny module, so that what it loads lazily is there before the first fork."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import torch

from runtime_probe.cost.compiled import prepare


class _Small(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return x.relu() + x.shape[0]


def up(part: str) -> None:
    """Load what a part needs; whatever goes wrong will be said by the part itself."""
    from runtime_probe.parts import part as load

    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        load(part)
        if part in ("measure", "settings"):
            prepare()
        if part == "kernels":
            from runtime_probe.kernels import part as kernels

            kernels.warm()
        if part == "simulate":
            from runtime_probe.simulate.part import prepare as prepare_runs

            prepare_runs()
        x = torch.ones(2, 3)
        if part == "trace":
            torch.jit.trace(_Small(), (x,), check_trace=False)  # type: ignore[no-untyped-call]
        elif part == "fx":
            torch.fx.symbolic_trace(_Small())
        elif part == "script":
            torch.jit.script(_Small())
        elif part == "export":
            dynamic = ({0: torch.export.Dim.AUTO},)
            torch.export.export(_Small(), (x,), dynamic_shapes=dynamic, strict=False).module()
        torch._dynamo.reset()
