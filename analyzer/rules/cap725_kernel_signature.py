"""CAP725: kernel-signature."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelSignature
from analyzer.rule import Bad, Good, Reporter, Rule


class KernelSignatureProblem(Rule):
    r"""What it does
    Finds a `@triton.jit` function with `**kwargs`, and a `tl.constexpr` parameter that is also listed in
    `do_not_specialize`.

    Why it matters
    The first is refused when the function is decorated, the second when it is compiled.

    Example
    ```python
    @triton.jit
    def kernel(x_ptr, **options): …
    ```

    Use instead
    Name each parameter. Drop the annotation or the entry of the list.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP725", "kernel-signature"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, **options):  # CAP725
    tl.store(x_ptr + n, 1.0)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["BLOCK"])
def kernel(x_ptr, n, BLOCK: tl.constexpr):  # CAP725
    tl.store(x_ptr + n, BLOCK)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
        ),
        Good(
            """\
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n"])
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + n, BLOCK)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_signature(self, event: KernelSignature, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: {event.problem}")
