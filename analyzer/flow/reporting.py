"""From what a rule reports to a finding: outcomes masked and raised by the surroundings, places, provenance."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analyzer.finding import Fix, Place
from analyzer.flow.events import ALLOWED, Call, Event, TruthTest
from analyzer.flow.resuming import resumes_after
from analyzer.flow.stand_in import stand_in
from analyzer.knowledge.versions import FULLGRAPH_KEEPS_SCALARS, captured_by_now, known_ids
from analyzer.outcome import STRICT, Frontend, Outcome, worse
from analyzer.project import FunctionInfo, ModuleInfo
from analyzer.rule import Outcomes, Rule
from analyzer.source import SourceText
from analyzer.values import Value, Why

FixMaker = Callable[[], "Fix | None"]
#: The frontends that break and go on where Dynamo's defaults do.
DEFAULTS: tuple[Frontend, ...] = ("dynamo", "cudagraph")
_DYNAMO: frozenset[Frontend] = frozenset({"dynamo", "fullgraph", "cudagraph"})
MAX_STEPS = 8
#: The frontends that take a function of `torch.compiler.allow_in_graph` for one operation.
ENTERS_NOT: tuple[Frontend, ...] = ("dynamo", "fullgraph", "cudagraph")
#: Higher-order operators that raise an error where their body cannot be captured, whatever the settings.
MUST_CAPTURE = frozenset({"cond", "while_loop"})
MAX_TEXT = 60


@dataclass(eq=False, slots=True)
class RawFinding:
    """A finding inside one run, before its roots are known."""

    rule: type[Rule]
    module: ModuleInfo
    node: ast.AST
    span: tuple[int, int, int, int]
    function: FunctionInfo
    message: str
    outcomes: dict[Frontend, Outcome]
    why: Why | None
    graph_breaks: tuple[str, ...]
    related: tuple[Place, ...]
    fixes: tuple[FixMaker, ...]
    skipped: bool = False
    whole: bool = False  #: skipped from its beginning, whatever comes before: the break is in a loop
    strict: Outcome | None = None  #: under a strict torch.export, which captures with Dynamo

    def merge(self, other: RawFinding) -> None:
        """The same place reached in another context: the worse outcome stands."""
        for frontend, outcome in other.outcomes.items():
            known = self.outcomes.get(frontend)
            self.outcomes[frontend] = outcome if known is None else worse(known, outcome)
        self.skipped = self.skipped or other.skipped
        self.whole = self.whole or other.whole
        if other.strict is not None:
            self.strict = other.strict if self.strict is None else worse(self.strict, other.strict)


def span(module: ModuleInfo, node: ast.AST) -> tuple[int, int, int, int]:
    """1-based (line, column, end line, end column) in characters of a node."""
    source = module.source
    line = getattr(node, "lineno", 1)
    end_line = getattr(node, "end_lineno", None) or line
    start = getattr(node, "col_offset", 0)
    end = getattr(node, "end_col_offset", None)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        end_line, end = line, len(source.lines[line - 1].encode()) if line <= len(source.lines) else start
    elif isinstance(node, (ast.For, ast.While, ast.With, ast.Try, ast.If)):
        end_line, end = line, len(source.lines[line - 1].encode())
    if end is None:
        end = start + 1
    return line, source.column(line, start) + 1, end_line, source.column(end_line, end) + 1


def place(module: ModuleInfo, node: ast.AST, text: str) -> Place:
    line, column, _, _ = span(module, node)
    return Place(module.path, line, column, text)


def segment(source: SourceText, node: ast.AST, limit: int = MAX_TEXT) -> str:
    """The source text of a node on one line, shortened."""
    line: int | None = getattr(node, "lineno", None)
    if line is None or line > len(source.lines):
        return ""
    end_line: int = getattr(node, "end_lineno", line) or line
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return source.lines[line - 1].strip()[:limit]
    rows = source.lines[line - 1 : end_line]
    if not rows:
        return ""
    start = source.column(line, getattr(node, "col_offset", 0))
    end = source.column(end_line, getattr(node, "end_col_offset", 0) or 0)
    if len(rows) == 1:
        text = rows[0][start:end]
    else:
        text = " ".join([rows[0][start:], *rows[1:-1], rows[-1][:end]])
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def provenance(why: Why | None, module_of: Callable[[str], ModuleInfo | None]) -> tuple[Place, ...]:
    """The steps of a value's history, oldest first; the middle of a long one is left out."""
    steps: list[Why] = []
    while why is not None and len(steps) < 200:
        steps.append(why)
        why = why.before
    steps.reverse()
    if len(steps) > MAX_STEPS:
        steps = [*steps[:2], *steps[-(MAX_STEPS - 2) :]]
    places: list[Place] = []
    for step in steps:
        module = module_of(step.path)
        if module is None:
            continue
        text = step.text or segment(module.source, step.node)
        found = place(module, step.node, text)
        if text and (not places or places[-1] != found):
            places.append(found)
    return tuple(places)


def _header(event: TruthTest) -> ast.AST:
    """Where a test of several lines stands: Python gives its jumps the line of the `if`, `while` or `assert`."""
    statement, node = event.statement, event.node
    line = getattr(node, "lineno", 0)
    if not isinstance(statement, (ast.If, ast.While, ast.Assert)) or statement.lineno == line:
        return node

    def make() -> ast.Pass:
        header = ast.Pass()
        header.lineno, header.col_offset = statement.lineno, statement.col_offset
        header.end_lineno = getattr(node, "end_lineno", line)
        header.end_col_offset = getattr(node, "end_col_offset", 0)
        return header

    return stand_in(node, ("header", statement), make)


def _method(node: ast.AST) -> ast.AST:
    """Where a method call of several lines stands: Python gives it the line of the method's name."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return node
    called = node.func
    line, end = called.end_lineno, called.end_col_offset
    if line is None or end is None or line == called.lineno:
        return node

    def make() -> ast.Pass:
        name = ast.Pass()
        name.lineno, name.col_offset = line, end - len(called.attr.encode())
        name.end_lineno, name.end_col_offset = node.end_lineno, node.end_col_offset
        return name

    return stand_in(node, ("method",), make)


class Sink:
    """The `Reporter` that rules get: adds raw findings to the run at hand."""

    def __init__(self, torch: tuple[int, int]) -> None:
        self.torch = torch
        self.rule: type[Rule] = Rule
        self.claims: dict[Frontend, Outcome] = {}
        self.module: ModuleInfo | None = None
        self.findings: dict[tuple[str, int, int, int, int], RawFinding] = {}

    @property
    def source(self) -> SourceText:
        assert self.module is not None
        return self.module.source

    @property
    def tree(self) -> ast.Module:
        assert self.module is not None
        return self.module.tree

    def __call__(
        self,
        event: Event,
        message: str,
        *,
        node: ast.AST | None = None,
        value: Value | None = None,
        outcomes: Outcomes | None = None,
        graph_breaks: Sequence[str] | None = None,
        related: Sequence[Place] = (),
        fix: FixMaker | Sequence[FixMaker] | None = None,
    ) -> None:
        assert self.module is not None
        where = node if node is not None else event.node
        if isinstance(event, TruthTest) and where is event.node:
            where = _header(event)
        where = _method(where)
        context = event.context
        judged: dict[Frontend, Outcome] = dict(self.claims if outcomes is None else outcomes)
        if "dynamo" in judged and "cudagraph" not in judged:
            judged["cudagraph"] = judged["dynamo"]
        if isinstance(event, Call) and event.name and captured_by_now(event.name, self.torch):
            judged.update(dict.fromkeys(judged.keys() & _DYNAMO, "captured"))
        strict = self.rule.strict_export or judged.get("fullgraph")
        if (
            self.torch < FULLGRAPH_KEEPS_SCALARS
            and judged.get("dynamo") == "graph_break"
            and judged.get("fullgraph") == "captured"
        ):
            judged["fullgraph"] = "refused"
        judged = {f: o for f, o in judged.items() if f in context.alive}
        if context.region == ALLOWED:  # Dynamo does not look inside: nothing breaks there, nothing is guarded
            judged = {f: o for f, o in judged.items() if f not in ENTERS_NOT or o == "silently_wrong"}
        if context.region in MUST_CAPTURE:
            for frontend in DEFAULTS:
                if judged.get(frontend) == "graph_break":
                    judged[frontend] = "refused"
        stuck = bool(
            context.loops or context.tries or context.withs or context.region == "transform"
        ) or not resumes_after(event)
        skipped = stuck and judged.get("dynamo") == "graph_break"
        if skipped:
            for frontend in DEFAULTS:
                if judged.get(frontend) == "graph_break":
                    judged[frontend] = "skipped_frame"
        if not judged:
            return
        fixes: tuple[FixMaker, ...] = () if fix is None else (fix,) if callable(fix) else tuple(fix)
        raw = RawFinding(
            self.rule,
            self.module,
            where,
            span(self.module, where),
            event.function,
            message,
            judged,
            value.why if value is not None else None,
            known_ids(self.rule.graph_breaks if graph_breaks is None else graph_breaks, self.torch),
            tuple(related),
            fixes,
            skipped,
            skipped and bool(context.loops),
            strict if strict in STRICT and "export" in context.alive else None,
        )
        key = (self.rule.code, *raw.span)
        known = self.findings.get(key)
        if known is None:
            self.findings[key] = raw
        else:
            known.merge(raw)
