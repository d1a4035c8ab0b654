"""CAP702: unsupported-kernel-expression."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelSyntax
from analyzer.rule import Bad, Good, Reporter, Rule

EXPRESSIONS = {
    "Dict": "dicts",
    "Set": "sets",
    "DictComp": "dict comprehensions",
    "SetComp": "set comprehensions",
    "GeneratorExp": "generator expressions",
    "Lambda": "`lambda`",
    "Yield": "`yield`",
    "YieldFrom": "`yield from`",
    "Await": "`await`",
    "Starred": "star expressions here",
    "DoubleStar": "`**` in calls",
    "TemplateStr": "template strings",
}


class UnsupportedKernelExpression(Rule):
    r"""What it does
    Finds expressions in a `@triton.jit` function that Triton's frontend cannot translate: dict and set
    literals, `lambda`, generator, dict and set comprehensions, `yield`, `await`, a star inside a tuple, `**` in
    a call.

    Why it matters
    The frontend has no meaning for them and ends the compilation at the first launch.

    Example
    ```python
    cfg = {"scale": 1.0}
    tl.store(x_ptr, cfg["scale"])
    ```

    Use instead
    Pass values as arguments, as `tl.constexpr` where they decide shapes, or use a tuple; make a helper a
    `@triton.jit` function.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP702", "unsupported-kernel-expression"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    cfg = {"scale": 1.0}  # CAP702
    tl.store(x_ptr + n, cfg["scale"])
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
    twice = lambda value: value * 2  # CAP702
    tl.store(x_ptr, twice(n))
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
    scales = (1.0, 2.0)
    tl.store(x_ptr + n, scales[0])
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_syntax(self, event: KernelSyntax, report: Reporter) -> None:
        what = EXPRESSIONS.get(event.kind)
        if what is not None:
            report(event, f"Triton refuses the kernel: it has no {what}")
