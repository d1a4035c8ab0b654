"""CAP709: kernel-reads-global."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelName
from analyzer.flow.kernel_values import Global
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelReadsGlobal(Rule):
    r"""What it does
    Finds a module global read inside a `@triton.jit` function that is not a `tl.constexpr` object.

    Why it matters
    A kernel is compiled once and cached; it may only read globals that are made as `tl.constexpr(…)`. An
    annotation `: tl.constexpr` at module level makes no such object.

    Example
    ```python
    UNROLL: tl.constexpr = 4

    @triton.jit
    def kernel(x_ptr):
        tl.store(x_ptr, UNROLL)
    ```

    Use instead
    `UNROLL = tl.constexpr(4)`, or pass the value as a `tl.constexpr` parameter.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP709", "kernel-reads-global"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl

UNROLL: tl.constexpr = 4


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, UNROLL)  # CAP709
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl

SCALE = 0.5


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, SCALE)  # CAP709
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl

UNROLL = tl.constexpr(4)


@triton.jit
def kernel(x_ptr, n):
    tl.store(x_ptr + n, UNROLL)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
        Good(
            """\
import triton
import triton.language as tl

SIZE = 128


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr = SIZE):
    tl.store(x_ptr + n, BLOCK)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_name(self, event: KernelName, report: Reporter) -> None:
        if isinstance(event.value, Global):
            why = "is only annotated" if event.value.annotated else "is no constexpr"
            report(event, f"Triton refuses the kernel: global `{event.name}` {why}; make it tl.constexpr(…)")
