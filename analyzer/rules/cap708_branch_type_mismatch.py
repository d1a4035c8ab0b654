"""CAP708: branch-type-mismatch."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelMerge
from analyzer.rule import Bad, Good, Reporter, Rule


class BranchTypeMismatch(Rule):
    r"""What it does
    Finds an `if` or ternary on a runtime value of a `@triton.jit` function whose sides give a variable, or the
    expression, different types.

    Why it matters
    Both sides are compiled and joined into one value, which has one type. Numbers count as float32 or int32
    scalars, not as blocks.

    Example
    ```python
    if n > 4:
        y = x        # a block
    else:
        y = 0.0      # a scalar
    ```

    Use instead
    Give both sides the same shape and element type (`tl.zeros_like(x)`), or use `tl.where`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP708", "branch-type-mismatch"
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
    if n > 4:  # CAP708
        y = x
    else:
        y = 0.0
    tl.store(x_ptr + offs, y)
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
    y = x if n > 4 else 0.0  # CAP708
    tl.store(x_ptr + offs, y)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    y = 0
    if n > 4:  # CAP708
        y = 1.5
    tl.store(x_ptr, y)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
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
    y = tl.zeros_like(x)
    if n > 4:
        y = x
    tl.store(x_ptr + offs, y)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_merge(self, event: KernelMerge, report: Reporter) -> None:
        what = f" (`{event.name}`)" if event.name else ""
        report(
            event,
            f"Triton refuses the kernel: the branches differ in type: {event.change}{what}",
            related=event.places("assigned here"),
        )
