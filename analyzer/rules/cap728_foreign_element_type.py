"""CAP728: foreign-element-type."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelElementType
from analyzer.rule import Bad, Good, Reporter, Rule


class ForeignElementType(Rule):
    r"""What it does
    Finds an element type given to a function of `triton.language` in a `@triton.jit` function as a string or as
    a NumPy, torch or Python type.

    Why it matters
    Triton has element types of its own; the frontend refuses all others.

    Example
    ```python
    acc = tl.zeros((16,), dtype=torch.float32)
    ```

    Use instead
    `tl.float32`, or take it from a tensor: `x.dtype`, `x_ptr.dtype.element_ty`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP728", "foreign-element-type"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl

import torch


@triton.jit
def kernel(x_ptr, n):
    acc = tl.zeros((16,), dtype=torch.float32)  # CAP728
    tl.store(x_ptr + n, tl.sum(acc))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
        ),
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(x_ptr + offs, x.to("float16"))  # CAP728
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
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
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    tl.store(x_ptr + offs, (acc + x).to(x_ptr.dtype.element_ty))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_element_type(self, event: KernelElementType, report: Reporter) -> None:
        report(event, f"Triton refuses the kernel: {event.given} is no element type of Triton")
