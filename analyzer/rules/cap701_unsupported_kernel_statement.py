"""CAP701: unsupported-kernel-statement."""

from __future__ import annotations

from typing import ClassVar

from analyzer.flow.kernel_events import KernelSyntax
from analyzer.rule import Bad, Good, Reporter, Rule

STATEMENTS = {
    "Try": "`try`",
    "TryStar": "`try`",
    "Raise": "`raise`",
    "Delete": "`del`",
    "Global": "`global`",
    "Nonlocal": "`nonlocal`",
    "Import": "`import` inside a function",
    "ImportFrom": "`import` inside a function",
    "ClassDef": "class definitions",
    "FunctionDef": "nested functions: define it outside with @triton.jit",
    "AsyncFunctionDef": "nested functions: define it outside with @triton.jit",
    "AsyncFor": "`async for`",
    "AsyncWith": "`async with`",
    "Match": "`match`",
    "TypeAlias": "`type` statements",
    "ElseOfLoop": "`else` of a loop",
    "WithoutCall": "`with` on a plain object",
}


class UnsupportedKernelStatement(Rule):
    r"""What it does
    Finds statements in a `@triton.jit` function that Triton's frontend cannot translate: `try`, `raise`, `with`
    on a plain object, `import`, `del`, `global`, `match`, class and function definitions, `else` of a loop.

    Why it matters
    The frontend walks the kernel's syntax tree and knows a handful of statements. Any other one ends the
    compilation at the first launch.

    Example
    ```python
    try:
        tl.store(x_ptr, 1.0)
    except ValueError:
        pass
    ```

    Use instead
    Move the statement out of the kernel. Check arguments on the host before the launch; use `tl.static_assert`
    for conditions on constexpr values and `tl.device_assert` for values of the running kernel. Define helpers
    at module level with `@triton.jit`.

    Fix safety
    No fix is offered.

    References
    https://triton-lang.org/main/python-api/triton.language.html
    """

    code, name = "CAP701", "unsupported-kernel-statement"
    outcomes = {"triton": "refused"}
    examples: ClassVar = [
        Bad(
            """\
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    try:  # CAP701
        tl.store(x_ptr + n, 1.0)
    except ValueError:
        pass
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
        raise ValueError("too many")  # CAP701
    tl.store(x_ptr, 1.0)
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
    def twice(value):  # CAP701
        return value * 2

    tl.store(x_ptr + n, 1.0)
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
    tl.static_assert(BLOCK >= 16)
    offs = tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 1.0, mask=offs < n)
""",
            entry='(kernel, {"x_ptr": "*fp32", "n": "i32"}, {"BLOCK": 128})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    def on_kernel_syntax(self, event: KernelSyntax, report: Reporter) -> None:
        what = STATEMENTS.get(event.kind)
        if what is not None:
            report(event, f"Triton refuses the kernel: it has no {what}")
