"""CAP724: constant-kernel-condition."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelTest
from analyzer.flow.kernel_values import Block, Constexpr, DType, KernelValue
from analyzer.rule import Bad, Good, Reporter, Rule


def _is_text_or_float(value: KernelValue) -> bool:
    return isinstance(value, Constexpr) and value.known and isinstance(value.value, (str, float))


class ConstantKernelCondition(Rule):
    r"""What it does
    Finds a `while` of a `@triton.jit` function on a constexpr (`while True`), an `if` or ternary on a string,
    float or element type, and `tl.static_assert` on a tensor.

    Why it matters
    A `while` needs a value of the running kernel. An `if` takes a scalar tensor, a bool, an int or None.

    Example
    ```python
    while True:
        …
    ```

    Use instead
    Test a tensor that the loop changes; compare before branching: `if SCALE != 0.0`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP724", "constant-kernel-condition"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    while True:  # CAP724
        tl.store(x_ptr + n, 1.0)
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
    if 1.0:  # CAP724
        tl.store(x_ptr + n, 1.0)
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
    i = 0
    while i < n:
        i += 1
    if BLOCK:
        tl.store(x_ptr, i)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_test(self, event: KernelTest, report: Reporter) -> None:
        value = event.value
        if event.form == "static_assert":
            if isinstance(value, Block) and not value.parameter:
                report(event, "Triton refuses the kernel: tl.static_assert on a value of the running kernel")
        elif event.form == "while":
            if isinstance(value, Constexpr):
                report(event, "Triton refuses the kernel: the condition of `while` is a constant")
        elif isinstance(value, DType) or _is_text_or_float(value):
            report(event, "Triton refuses the kernel: `if` takes a bool, an int or a scalar tensor")
