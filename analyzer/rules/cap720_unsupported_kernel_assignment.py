"""CAP720: unsupported-kernel-assignment."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelAssign, KernelSyntax
from analyzer.rule import Bad, Good, Reporter, Rule

PROBLEMS = {
    "constexpr": "constexpr `{0}` is assigned again",
    "string": "a string in the variable `{0}`; annotate it as tl.constexpr",
    "function": "a function in the variable `{0}`; annotate it as tl.constexpr",
    "attribute": "attributes cannot be assigned",
    "starred": "it has no starred targets",
    "unpack": "a tensor cannot be unpacked",
    "count": "the number of unpacked values differs",
}


class UnsupportedKernelAssignment(Rule):
    r"""What it does
    Finds assignments in a `@triton.jit` function that its frontend does not have: `a = b = x`, a second value
    for a `tl.constexpr` name, a string or function in a plain variable, an attribute, a starred target,
    unpacking of a tensor or of the wrong number of values.

    Why it matters
    Variables of a kernel are tensors or tuples of them; a constexpr is assigned once.

    Example
    ```python
    a = b = tl.load(x_ptr)
    ```

    Use instead
    One assignment for each name; a new constexpr name for a new value.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP720", "unsupported-kernel-assignment"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    a = b = tl.load(x_ptr)  # CAP720
    tl.store(x_ptr + n, a + b)
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
    size: tl.constexpr = 16
    size: tl.constexpr = 32  # CAP720
    tl.store(x_ptr + n, size)
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
    mode = "sum"  # CAP720
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
def kernel(x_ptr, n):
    a, b = tl.load(x_ptr), 1.0
    mode: tl.constexpr = "sum"
    if mode == "sum":
        a += b
    tl.store(x_ptr + n, a)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_assign(self, event: KernelAssign, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: {PROBLEMS[event.problem].format(event.name)}")

    def on_kernel_syntax(self, event: KernelSyntax, report: Reporter) -> None:
        if event.kind == "ChainedAssignment":
            report(event, "Triton refuses the kernel: it has no chained assignment")
