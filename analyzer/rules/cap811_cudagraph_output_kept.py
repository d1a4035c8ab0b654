"""CAP811: outputs of a CUDA graph are collected over several replays."""

from __future__ import annotations

from analyzer.flow.events import Call
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Tensor


class CudagraphOutputKept(Rule):
    """Outputs of a function compiled with `mode="reduce-overhead"` are collected over several calls.

    ## What it does
    Finds `outputs.append(step(x))` in a loop where `step` is compiled for CUDA graphs.

    ## Why it matters
    Every replay writes its outputs to the same memory. Reading one from an earlier call raises "accessing tensor output
    of CUDAGraphs that has been overwritten by a subsequent run".

    ## Use instead
    `outputs.append(step(x).clone())`.

    ## Fix safety
    No fix is offered.

    ## References
    https://github.com/pytorch/pytorch/issues/170604; torch/_inductor/cudagraph_trees.py. Predicted from the source of
    torch 2.13.
    """

    code, name = "CAP811", "cudagraph-output-kept"
    outside = True
    outcomes = {"cudagraph": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    return x * 2


step = torch.compile(fn, mode="reduce-overhead")


def main():
    outputs = []
    x = torch.ones(3)
    for _ in range(4):
        out = step(x)
        outputs.append(out)  # CAP811
    return outputs
""",
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    return x * 2


step = torch.compile(fn, mode="reduce-overhead")


def main():
    outputs = []
    x = torch.ones(3)
    for _ in range(4):
        outputs.append(step(x).clone())
    return outputs
""",
        ),
    ]

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        return name.endswith(".append")

    def on_call(self, event: Call, report: Reporter) -> None:
        if not event.context.loops or not event.args:
            return
        kept = event.args[0]
        if isinstance(kept, Tensor) and kept.origin == "cudagraph":
            report(event, "the next call overwrites this output: clone it", value=kept)
