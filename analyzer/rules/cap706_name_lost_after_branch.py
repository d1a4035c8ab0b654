"""CAP706: name-lost-after-branch."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelName
from analyzer.flow.kernel_values import Gone
from analyzer.rule import Bad, Good, Reporter, Rule


class NameLostAfterBranch(Rule):
    r"""What it does
    Finds a name in a `@triton.jit` function that is read where no definition reaches: it is defined only inside
    a loop, or on one side of an `if` on a runtime value.

    Why it matters
    Such names do not outlive the loop or branch: for the frontend the name is not defined. Python would have
    kept it.

    Example
    ```python
    for i in range(n):
        v = tl.load(x_ptr + i)
    tl.store(x_ptr, v)
    ```

    Use instead
    Give the name a value of the same type before the loop or branch.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP706", "name-lost-after-branch"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    for i in range(n):
        v = tl.load(x_ptr + i)
    tl.store(x_ptr, v)  # CAP706
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
    if n > 4:
        v = 1.0
    tl.store(x_ptr, v)  # CAP706
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
    v = 0.0
    for i in range(n):
        v = tl.load(x_ptr + i)
    if n > 4:
        w = 1.0
    else:
        w = 2.0
    tl.store(x_ptr, v + w)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    if BLOCK > 64:
        v = 1.0
    else:
        v = 2.0
    for i in tl.static_range(2):
        w = v + i
    tl.store(x_ptr, w)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_name(self, event: KernelName, report: Reporter) -> None:
        if isinstance(event.value, Gone):
            line = getattr(event.value.node, "lineno", None)
            how = "is not defined here" if line is None else f"of line {line} ends with its branch or loop"
            report(event, f"Triton refuses the kernel: `{event.name}` {how}", related=event.places("defined here"))
