"""CAP719: unknown-tensor-attribute."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelAttribute
from analyzer.rule import Bad, Good, Reporter, Rule

OWNERS = {"language": "triton.language has", "tensor": "tensors have", "tuple": "lists and tuples have"}


class UnknownTensorAttribute(Rule):
    r"""What it does
    Finds attributes and methods that a tensor inside a `@triton.jit` function, or `triton.language`, does not
    have: `x.astype`, `x.mean`, `x.size`, `tl.ones`, `tl.tanh`.

    Why it matters
    A kernel's tensor is no torch tensor and `triton.language` no NumPy. The frontend refuses the name.

    Example
    ```python
    y = x.astype(tl.float16)
    ```

    Use instead
    `x.to(tl.float16)`, `tl.sum(x) / N`, `tl.full(shape, 1, dtype)`, `libdevice.tanh` from
    `triton.language.extra`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP719", "unknown-tensor-attribute"
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
    tl.store(x_ptr + offs, x.astype(tl.float16))  # CAP719
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
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
    tl.store(x_ptr + offs, tl.tanh(x))  # CAP719
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
    tl.store(x_ptr + offs, x.to(tl.float16) + x.sum() + tl.exp(x))
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_attribute(self, event: KernelAttribute, report: Reporter) -> None:
        owner = OWNERS[event.owner]
        report(event, f"Triton refuses the kernel: {owner} no `{event.attribute}`")
