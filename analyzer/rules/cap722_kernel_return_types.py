"""CAP722: kernel-return-types."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelReturnTypes
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelReturnTypeMismatch(Rule):
    r"""What it does
    Finds a `@triton.jit` function whose returns differ in type: a value in one place and none in another, a
    block and a scalar, different element types.

    Why it matters
    A jit function has one return type. Statements after a `return` under a constexpr `if` are compiled as well.

    Example
    ```python
    if n > 0:
        return x
    return 0
    ```

    Use instead
    Return the same type everywhere: `return tl.zeros_like(x)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP722", "kernel-return-types"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl

@triton.jit
def pick(x, n):
    if n > 0:
        return 1.5
    return 0  # CAP722


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, pick(tl.load(x_ptr), n))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl

@triton.jit
def pick(x, n):
    if n > 0:
        return 1.5
    return 0.0


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, pick(tl.load(x_ptr), n))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_return_types(self, event: KernelReturnTypes, report: Reporter) -> None:
        report(
            event,
            f"Triton refuses the kernel: its returns differ in type: {event.change}",
            related=event.places("the other return"),
        )
