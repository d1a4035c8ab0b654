"""CAP723: tensor-in-kernel-f-string."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelSyntax
from analyzer.rule import Bad, Good, Reporter, Rule


class TensorInKernelFString(Rule):
    r"""What it does
    Finds an f-string in a `@triton.jit` function that formats a tensor.

    Why it matters
    An f-string is built while the kernel is compiled, when only constexpr values are known.

    Example
    ```python
    print(f"n = {n}")
    ```

    Use instead
    `tl.device_print("n", n)` or `print("n", n)`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP723", "tensor-in-kernel-f-string"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    pid = tl.program_id(0)
    print(f"pid = {pid}")  # CAP723
    tl.store(x_ptr + n, pid)
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
    pid = tl.program_id(0)
    print("pid", pid)
    tl.static_print(f"block {BLOCK}")
    tl.store(x_ptr + n, pid)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_syntax(self, event: KernelSyntax, report: Reporter) -> None:
        if event.kind == "FormattedTensor":
            report(event, "Triton refuses the kernel: the f-string formats a tensor; print it instead")
