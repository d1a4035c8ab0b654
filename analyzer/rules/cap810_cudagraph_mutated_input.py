"""CAP810: an input that is changed in place under CUDA graphs."""

from __future__ import annotations

from analyzer.flow.events import Call, Subscript
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Tensor, Value


class CudagraphMutatedInput(Rule):
    """An input that is changed in place under `mode="reduce-overhead"`.

    ## What it does
    Finds in-place methods and item assignments on tensor arguments of functions compiled for CUDA graphs.

    ## Why it matters
    A CUDA graph replays on fixed memory: inputs are copied to it, so a change of the copy would be lost. The compiler
    notices and runs the graph without CUDA graphs ("skipping cudagraphs due to mutated inputs"); only a log line says
    so.

    ## Use instead
    Keep what is changed (a key-value cache) in a buffer of the module, whose address is fixed, or return the new value.

    ## Fix safety
    No fix is offered.

    ## References
    `check_for_mutation` in torch/_inductor/cudagraph_utils.py; https://github.com/pytorch/pytorch/issues/117281.
    Predicted from the source of torch 2.13.
    """

    code, name = "CAP810", "cudagraph-mutated-input"
    calls = ("Tensor.",)
    outcomes = {"cudagraph": "skipped_frame"}
    examples = [
        Bad(
            """
import torch


def fn(cache: torch.Tensor, x: torch.Tensor):
    cache.copy_(x)  # CAP810
    return cache * 2
""",
            inputs="(torch.zeros(3), torch.ones(3))",
        ),
        Bad(
            """
import torch


def fn(cache: torch.Tensor, x: torch.Tensor):
    cache[0] = x  # CAP810
    return cache * 2
""",
            inputs="(torch.zeros(3), torch.ones(()))",
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(3))

    def forward(self, x: torch.Tensor):
        self.cache.copy_(x)
        return self.cache * 2
""",
            entry="Net()",
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        method = event.name.rsplit(".", 1)[-1]
        if (
            event.name.startswith("Tensor.")
            and method.endswith("_")
            and not method.startswith("_")
            and method != "requires_grad_"
        ):
            if _is_input(event.receiver):
                report(event, "changes an input in place: CUDA graphs are skipped", value=event.receiver)

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access in ("store", "augmented") and _is_input(event.value):
            report(event, "changes an input in place: CUDA graphs are skipped", value=event.value)


def _is_input(value: Value | None) -> bool:
    if not isinstance(value, Tensor) or not value.taint or value.array or value.why is None:
        return False
    return value.why.before is None and "parameter of" in value.why.text
