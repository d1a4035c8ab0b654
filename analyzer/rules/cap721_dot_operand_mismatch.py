"""CAP721: dot-operand-mismatch."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelDot
from analyzer.rule import Bad, Good, Reporter, Rule


class DotOperandMismatch(Rule):
    r"""What it does
    Finds `tl.dot` whose operands have known ranks, inner sizes or element types that do not fit.

    Why it matters
    The frontend refuses them.

    Example
    ```python
    c = tl.dot(x, x)      # 1-d blocks
    ```

    Use instead
    Give both two dimensions, one inner size and one element type: `tl.dot(a.to(tl.float16), b)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP721", "dot-operand-mismatch"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    a = tl.zeros((16, 32), tl.float32)
    c = tl.dot(a, a)  # CAP721
    tl.store(x_ptr + n, tl.sum(tl.sum(c, 1), 0))
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
    a = tl.zeros((16, 32), tl.float32)
    c = tl.dot(a, tl.trans(a))
    tl.store(x_ptr + n, tl.sum(tl.sum(c, 1), 0))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_dot(self, event: KernelDot, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: tl.dot: {event.problem}")
