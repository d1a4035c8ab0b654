"""CAP726: kernel-called-without-grid."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelLaunch
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelCalledWithoutGrid(Rule):
    r"""What it does
    Finds host code that calls a `@triton.jit` kernel like a function.

    Why it matters
    A kernel is launched over a grid; called directly it raises `Cannot call @triton.jit'd outside of the scope
    of a kernel`.

    Example
    ```python
    kernel(x, n)
    ```

    Use instead
    `kernel[(triton.cdiv(n, BLOCK),)](x, n, BLOCK=BLOCK)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP726", "kernel-called-without-grid"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, 1.0)


def launch(x):
    kernel(x, 4)  # CAP726
""",
            entry="launch",
            outcomes={"triton": "unknown"},
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, 1.0)


def launch(x):
    kernel[(1,)](x, 4)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_launch(self, event: KernelLaunch, report: Reporter) -> None:
        report(event, f"raises: kernel `{event.name}` is called without a grid; {event.name}[grid](…)")
