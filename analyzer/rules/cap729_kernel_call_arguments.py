"""CAP729: kernel-call-arguments."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelArguments
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelCallArguments(Rule):
    r"""What it does
    Finds a call of a `@triton.jit` function of the file, or of a function of `triton.language`, inside a kernel
    with arguments that its signature does not have.

    Why it matters
    The frontend binds the arguments when it compiles the call, and refuses it.

    Example
    ```python
    total = tl.sum(x, dim=0)
    ```

    Use instead
    Name the arguments as Triton does: `tl.sum(x, axis=0)`, `tl.arange(0, 16)`, `tl.zeros(shape, dtype)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP729", "kernel-call-arguments"
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
    tl.store(x_ptr, tl.sum(x, dim=0))  # CAP729
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
    offs = tl.arange(16)  # CAP729
    tl.store(x_ptr + offs, n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl

@triton.jit
def scaled(x, by=2):
    return x * by


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(x_ptr, scaled(tl.sum(x, axis=0), by=n))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_arguments(self, event: KernelArguments, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: `{event.call}` {event.problem}")
