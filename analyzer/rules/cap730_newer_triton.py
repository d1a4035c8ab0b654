"""CAP730: newer-triton-needed."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.flow.kernel_events import KernelRecent
from analyzer.knowledge.triton_versions import NAMES, SYNTAX, triton_of
from analyzer.rule import Bad, Good, Reporter, Rule


class NewerTritonNeeded(Rule):
    """Functions of `triton.language` that the Triton of the targeted torch does not have.

    ## What it does
    Finds, for `--target-torch` (or the torch of the project's environment) below 2.12, calls of `tl.topk`,
    `tl.make_tensor_descriptor`, `tl.gather` and others, and list comprehensions, that came with a later Triton than the
    one which that torch requires.

    ## Why it matters
    The kernel raises when it is compiled: `module 'triton.language' has no attribute …`, or an unsupported AST node.

    ## Use instead
    What the older Triton has (blocks of pointers with a mask, `tl.sort`), or require the newer torch.

    ## Fix safety
    No fix is offered.

    ## References
    `analyzer/knowledge/triton_since.tsv`: what torch's wheels require, and triton/language/__init__.py and
    triton/compiler/code_generator.py of Triton 3.2 to 3.7.
    """

    code, name = "CAP730", "newer-triton-needed"
    outcomes = {"triton": "refused"}
    examples = [
        Bad(
            """
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    best = tl.topk(x, 4)  # CAP730
    tl.store(y_ptr + tl.arange(0, 4), best)
""",
            entry='(kernel, {"x_ptr": "*fp32", "y_ptr": "*fp32"}, {"BLOCK": 16})',
            inputs="()",
            target=(2, 7),
            outcomes={"triton": "captured"},
        ),
        Good(
            """
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(y_ptr + tl.arange(0, BLOCK), tl.sort(x))
""",
            entry='(kernel, {"x_ptr": "*fp32", "y_ptr": "*fp32"}, {"BLOCK": 16})',
            inputs="()",
            outcomes={"triton": "captured"},
        ),
    ]

    @classmethod
    def applies(cls, torch: tuple[int, int]) -> bool:
        triton = triton_of(torch)
        return triton is not None and any(triton < since for since in (*NAMES.values(), *SYNTAX.values()))

    @classmethod
    def history(cls) -> Sequence[tuple[tuple[int, int], str]]:
        rows: list[tuple[tuple[int, int], str]] = []
        for name, since in [*((f"tl.{n}", v) for n, v in NAMES.items()), ("a list comprehension", SYNTAX["ListComp"])]:
            torch = next((2, minor) for minor in range(6, 13) if (triton_of((2, minor)) or (0, 0)) >= since)
            rows.append((torch, name))
        return rows

    def on_kernel_recent(self, event: KernelRecent, report: Reporter) -> None:
        triton, since = triton_of(report.torch), NAMES.get(event.name) or SYNTAX.get(event.name)
        if triton is None or since is None or triton >= since:
            return
        what = "a list comprehension" if event.name in SYNTAX else f"tl.{event.name}"
        needed, brought = f"{since[0]}.{since[1]}", f"{triton[0]}.{triton[1]}"
        report(event, f"{what} needs Triton {needed}; torch {report.torch[0]}.{report.torch[1]} brings {brought}")
