"""CAP703: kernel-break-or-continue."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelSyntax
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelBreakOrContinue(Rule):
    r"""What it does
    Finds `break` and `continue` in a `@triton.jit` function.

    Why it matters
    A loop in a kernel becomes one structured region with one exit. The frontend refuses both statements.

    Example
    ```python
    for i in range(n):
        if i == 3:
            break
    ```

    Use instead
    Put the condition into a `while` test, or guard the rest of the body with an `if` or a mask.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP703", "kernel-break-or-continue"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    for i in range(n):
        if i > 3:
            break  # CAP703
        tl.store(x_ptr + i, 1.0)
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
    i = 0
    while (i < n) and (i <= 3):
        tl.store(x_ptr + i, 1.0)
        i += 1
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_syntax(self, event: KernelSyntax, report: Reporter) -> None:
        if event.kind in ("Break", "Continue"):
            report(event, f"Triton refuses the kernel: loops have no `{event.kind.lower()}`")
