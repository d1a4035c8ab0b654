"""CAP705: block-condition."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelTest
from analyzer.flow.kernel_values import Block
from analyzer.rule import Bad, Good, Reporter, Rule


class BlockCondition(Rule):
    r"""What it does
    Finds an `if`, `while` or ternary of a `@triton.jit` function whose condition is a block, not a scalar.

    Why it matters
    A block holds many values and a branch needs one: the frontend refuses it, or the IR that it makes fails
    verification.

    Example
    ```python
    x = tl.load(x_ptr + offs)
    if x > 0:
        x = x * 2
    ```

    Use instead
    Choose per element with `tl.where(x > 0, a, b)`, or reduce first: `if tl.sum(x) > 0`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP705", "block-condition"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    if x > 0:  # CAP705
        x = x * 2
    tl.store(x_ptr + offs, x, mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
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
    x = x if x > 0 else -x  # CAP705
    tl.store(x_ptr + offs, x, mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
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
    while x > 1:  # CAP705
        x = x / 2
    tl.store(x_ptr + offs, x, mask=offs < n)
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
    x = tl.where(x > 0, x * 2, x)
    if tl.sum(x) > 0:
        x = x + 1
    tl.store(x_ptr + offs, x, mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_test(self, event: KernelTest, report: Reporter) -> None:
        if event.form != "static_assert" and isinstance(event.value, Block) and event.value.is_block:
            form = "a ternary" if event.form == "ternary" else f"`{event.form}`"
            report(event, f"Triton refuses the kernel: the condition of {form} is a block; use tl.where")
