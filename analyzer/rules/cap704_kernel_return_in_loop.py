"""CAP704: kernel-return-in-loop."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelReturn
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelReturnInLoop(Rule):
    r"""What it does
    Finds a `return` inside a `for`, `while` or `with` of a `@triton.jit` function.

    Why it matters
    Those become structured regions that cannot be left early. A `return` under an `if` at the top of the kernel
    is fine, and so is one in `tl.static_range`, which unrolls.

    Example
    ```python
    for i in range(n):
        if tl.load(x_ptr + i) > 0:
            return
    ```

    Use instead
    Keep a flag and test it in a `while` condition, or mask out the work that is not wanted.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP704", "kernel-return-in-loop"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    for i in range(n):
        if tl.load(x_ptr + i) > 0:  # CAP704
            return
    tl.store(x_ptr, 1.0)
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
    if n <= 0:
        return
    tl.store(x_ptr, 1.0)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_return(self, event: KernelReturn, report: Reporter) -> None:
        where = "a loop" if event.inside == "loop" else "a `with` block"
        report(event, f"Triton refuses the kernel: `return` inside {where}", related=event.places("the return"))
