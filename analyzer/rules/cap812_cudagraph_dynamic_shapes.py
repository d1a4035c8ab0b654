"""CAP812: CUDA graphs of a function that is compiled for dynamic shapes."""

from __future__ import annotations

from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const


class CudagraphDynamicShapes(Rule):
    """CUDA graphs of a function that is compiled for dynamic shapes.

    ## What it does
    Finds `torch.compile(…, mode="reduce-overhead", dynamic=True)`. Off by default: with inputs of few sizes it is fine.

    ## Why it matters
    The kernels fit all sizes, a CUDA graph fits one: every new size of an input records another graph, with a warm-up
    run and memory of its own. From the ninth on a log line says so.

    ## Use instead
    Pad the inputs to a few sizes and leave `dynamic=True` out; or the default mode, if the sizes really vary.

    ## Fix safety
    No fix is offered.

    ## References
    `maybe_warning_due_to_dynamic_shape` in torch/_inductor/cudagraph_utils.py,
    `torch._inductor.config.triton.cudagraph_skip_dynamic_graphs`. Predicted from the source of torch 2.13.
    """

    code, name = "CAP812", "cudagraph-dynamic-shapes"
    outside = True
    default = False  #: programs that decode one token at a time use both on purpose
    outcomes = {"cudagraph": "recompiles"}
    examples = [
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    return x * 2


step = torch.compile(fn, mode="reduce-overhead", dynamic=True)  # CAP812
""",
        ),
        Good(
            """
import torch


def fn(x: torch.Tensor):
    return x * 2


step = torch.compile(fn, mode="reduce-overhead")
other = torch.compile(fn, dynamic=True)
plain = torch.compile(fn, mode="max-autotune-no-cudagraphs", dynamic=True)
""",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        dynamic = event.kwargs.get("dynamic")
        if "cudagraph" in event.capture.frontends and isinstance(dynamic, Const) and dynamic.value is True:
            report(event, "every new size records another CUDA graph")
