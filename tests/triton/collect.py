"""The findings of the rules 7xx in one source text, without the engine: events handed straight to their handlers."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from analyzer.flow.kernel import check_kernels
from analyzer.flow.kernel_events import KernelEvent
from analyzer.knowledge.versions import MEASURED
from analyzer.project import FunctionInfo, ModuleInfo
from analyzer.registry import all_rules
from analyzer.rule import Rule
from analyzer.source import SourceText


@dataclass(frozen=True, order=True)
class Found:
    line: int
    code: str
    message: str


def _handlers() -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in all_rules():
        if rule.code.startswith("CAP7"):
            for name in dir(rule):
                if name.startswith("on_kernel"):
                    found.setdefault(name, []).append(rule())
    return found


def findings(
    source: str, path: str = "kernels.py", every: bool = False, torch: tuple[int, int] = MEASURED
) -> list[Found]:
    """Sorted findings; `every`: also of rules that are off by default; `torch`: the release that judges."""
    handlers = _handlers()
    found: set[Found] = set()

    def emit(event: KernelEvent) -> None:
        name = "on" + re.sub(r"(?=[A-Z])", "_", type(event).__name__).lower()
        for rule in handlers.get(name, ()):
            if (rule.default or every) and rule.applies(torch):

                def report(event: KernelEvent, message: str, *, node: Any = None, rule: Rule = rule, **_: Any) -> None:
                    found.add(Found((node or event.node).lineno, rule.code, message))

                report.torch = torch  # type: ignore[attr-defined]
                getattr(rule, name)(event, report)

    module = ModuleInfo(path, "kernels", SourceText(path, source), ast.parse(source), ())

    def function_of(node: ast.AST) -> FunctionInfo:
        return FunctionInfo(node, module, getattr(node, "name", "<module>"))  # type: ignore[arg-type]

    check_kernels(module.tree, path, function_of, emit)
    return sorted(found)
