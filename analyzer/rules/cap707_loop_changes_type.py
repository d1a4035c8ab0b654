"""CAP707: loop-changes-type."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelCarried
from analyzer.rule import Bad, Good, Reporter, Rule


class LoopChangesType(Rule):
    r"""What it does
    Finds a variable that a loop of a `@triton.jit` function gives another type than it had before: from scalar
    to block, another element type, from None or a constexpr to a tensor.

    Why it matters
    A variable that lives through a loop is one value of the loop's region, so its type is fixed before the loop
    begins. The frontend refuses a change.

    Example
    ```python
    acc = 0
    for i in range(n):
        acc = acc + 0.5
    ```

    Use instead
    Start with the final type: `acc = 0.0`, `acc = tl.zeros((BLOCK,), tl.float32)`; cast what is added.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP707", "loop-changes-type"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    acc = 0
    for i in range(n):  # CAP707
        acc = acc + 0.5
    tl.store(x_ptr, acc)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    acc = 0.0
    for i in range(n):  # CAP707
        acc += x
    tl.store(x_ptr + offs, acc)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    acc = tl.zeros((BLOCK,), tl.float32)
    total = 0.0
    for i in range(n):
        acc += x
        total += tl.sum(x)
    tl.store(x_ptr + offs, acc + total)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_carried(self, event: KernelCarried, report: Reporter) -> None:
        report(
            event,
            f"Triton refuses the kernel: in this loop {event.change} (`{event.name}`)",
            related=event.places("assigned here"),
        )
