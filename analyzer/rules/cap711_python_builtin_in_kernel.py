"""CAP711: python-builtin-in-kernel."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelBuiltinCall, KernelName
from analyzer.flow.kernel_values import Builtin
from analyzer.rule import Bad, Good, Reporter, Rule


class PythonBuiltinInKernel(Rule):
    r"""What it does
    Finds Python builtins in a `@triton.jit` function that do not exist there (`sum`, `abs`, `enumerate`, `zip`,
    `bool`…), and those that do with arguments that they do not take (`int(tensor)`, `len(tensor)`,
    `print(tensor)`).

    Why it matters
    A kernel knows only `range`, `min`, `max`, `print`, `len`, `int`, `float`, `isinstance`, `getattr`,
    `hasattr` and `list`.

    Example
    ```python
    total = sum(x)
    ```

    Use instead
    `tl.sum`, `tl.abs`, `x.to(tl.int32)`, `x.shape[0]`, `tl.device_print("x", x)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP711", "python-builtin-in-kernel"
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
    tl.store(x_ptr, sum(x))  # CAP711
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
    x = tl.load(x_ptr + n)
    tl.store(x_ptr, int(x))  # CAP711
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
    x = tl.load(x_ptr + n)
    print(x)  # CAP711
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
    print("x", x)
    m = max(tl.sum(x), float("-inf"))
    tl.store(x_ptr, m + min(n, 3))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_name(self, event: KernelName, report: Reporter) -> None:
        if isinstance(event.value, Builtin):
            report(event, f"Triton refuses the kernel: it does not know Python's `{event.name}`")

    def on_kernel_builtin_call(self, event: KernelBuiltinCall, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: `{event.name}` {event.problem}")
