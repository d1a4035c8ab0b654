"""CAP714: loop-over-non-range."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelIteration
from analyzer.rule import Bad, Good, Reporter, Rule


class LoopOverNonRange(Rule):
    r"""What it does
    Finds a `for` of a `@triton.jit` function over anything but `range`, `tl.range` or `tl.static_range` (a
    list, a tuple, a block), a range with a float or block as bound, and a list comprehension over anything but
    a tuple.

    Why it matters
    The frontend builds loops from the arguments of a range call alone.

    Example
    ```python
    for i in [0, 1, 2]:
        …
    ```

    Use instead
    `for i in tl.static_range(len(items))` and `items[i]`; write a comprehension's elements out.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP714", "loop-over-non-range"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    for i in [0, 1, 2]:  # CAP714
        tl.store(x_ptr + i, n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    vals = [i * 2 for i in range(4)]  # CAP714
    tl.store(x_ptr + n, vals[0])
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    items = (0, 1, 2)
    vals = [i * 2 for i in items]
    for i in tl.static_range(3):
        tl.store(x_ptr + i, vals[i])
    for i in range(0, n, 2):
        tl.store(x_ptr + i, 1.0)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_iteration(self, event: KernelIteration, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: {event.problem}")
