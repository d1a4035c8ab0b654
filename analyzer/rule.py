"""A rule is one class in one file of `analyzer/rules/`: what it claims, its examples, and handlers of events.

    class DataDependentBranch(Rule):
        '''What it does / Why it matters / Example / Use instead / Fix safety / References (fixed headings)'''

        code, name = "CAP101", "data-dependent-branch"
        outcomes = {"dynamo": "graph_break", "trace": "silently_wrong", "fx": "refused", ...}
        graph_breaks = ("GB0170",)
        examples = [Bad(...), Good(...)]

        def on_truth_test(self, event: TruthTest, report: Reporter) -> None: ...

Handlers are found by name: `on_` + the snake_case name of the event's class. A rule never walks a tree and keeps no
state
between events. `tests/` runs every example under the real frontends and compares with the outcomes claimed here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from analyzer.finding import Fix, Place
from analyzer.flow.events import Event
from analyzer.knowledge.versions import FULLGRAPH_KEEPS_SCALARS
from analyzer.outcome import Frontend, Outcome
from analyzer.source import SourceText
from analyzer.values import Value

Outcomes = Mapping[Frontend, Outcome]


@dataclass(frozen=True, slots=True)
class Since:
    """An outcome that depends on the torch version: `steps` are ((major, minor), outcome), oldest first."""

    steps: tuple[tuple[tuple[int, int], Outcome], ...]

    def at(self, torch: tuple[int, int]) -> Outcome:
        """The outcome for a torch version; before the first step, the first step's."""
        result = self.steps[0][1]
        for version, outcome in self.steps:
            if torch >= version:
                result = outcome
        return result


Claims = Mapping[Frontend, "Outcome | Since"]

#: Under `fullgraph=True`, what needs scalars or data-dependent sizes in the graph: kept there since 2.10.
SCALARS_IN_FULLGRAPH = Since((((2, 6), "refused"), (FULLGRAPH_KEEPS_SCALARS, "captured")))


@dataclass(frozen=True, slots=True)
class Bad:
    """A runnable program that shows the fault. Lines to flag end in the rule's code as a comment (`# CAP101`).

    `entry` and `inputs` are expressions evaluated in the program's namespace (plus torch); `inputs` is the capturing
    call
    (a tuple: positional arguments; a dict: keyword arguments; else the one argument), `variants` are later calls of
    the same object.
    `outcomes` overrides the rule's claims for this program; a frontend mapped to "unknown" is not judged. `fixed`: the
    program after the rule's first fix was applied ("" if it offers none).
    """

    source: str
    entry: str = "fn"
    inputs: str = "torch.ones(3)"
    variants: tuple[str, ...] = ()
    outcomes: Outcomes = field(default_factory=dict)
    fixed: str = ""
    title: str = ""
    target: tuple[int, int] | None = None  #: the release for which the lines are flagged, if not the one that judges


@dataclass(frozen=True, slots=True)
class Good:
    """A runnable program that must not be flagged by the rule; `outcomes` (default: dynamo captured) is judged as
    well."""

    source: str
    entry: str = "fn"
    inputs: str = "torch.ones(3)"
    variants: tuple[str, ...] = ()
    outcomes: Outcomes = field(default_factory=lambda: {"dynamo": "captured"})
    title: str = ""


class Reporter(Protocol):
    """How a rule reports. The engine adds roots, function, provenance, suppressed frontends and skipped frames."""

    torch: tuple[int, int]

    @property
    def source(self) -> SourceText:
        """The text of the file that the event is in; with its tree it is all that a fix needs."""
        ...

    @property
    def tree(self) -> ast.Module:
        """The tree of that file."""
        ...

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
        fix: Callable[[], Fix | None] | Sequence[Callable[[], Fix | None]] | None = None,
    ) -> None:
        """`node`: where, if not the event's own; `value`: whose provenance to print; `outcomes`: instead of the
        rule's."""
        ...


class Rule:
    """Base of all rules; see the module's docstring."""

    code: ClassVar[str]
    name: ClassVar[str]
    outcomes: ClassVar[Claims] = {}
    graph_breaks: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[Sequence[Bad | Good]] = ()
    default: ClassVar[bool] = True  #: off: only with --select / --extend-select
    unrolls: ClassVar[bool] = False  #: speaks of loops that Dynamo unrolls, unless their body ends the graph
    outside: ClassVar[bool] = False  #: judges code that runs outside any capture (misuse of the capture APIs)
    calls: ClassVar[tuple[str, ...]] = ("",)  #: how the qualified names begin of the calls that `on_call` may report
    #: Under `torch.export.export(strict=True)`, where that is not what `fullgraph=True` gives: strict export captures
    #: with Dynamo, but in every release keeps scalars, data-dependent sizes and RNNs, and passes over print(), warnings
    #: and loggers (export/_trace.py: ExportDynamoConfig).
    strict_export: ClassVar[Outcome | None] = None

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        """Whether `on_call` can report a call of this qualified name; asked once for each name."""
        return name.startswith(cls.calls)

    @classmethod
    def applies(cls, torch: tuple[int, int]) -> bool:
        """Whether the rule has anything to say for a torch version."""
        return True

    @classmethod
    def history(cls) -> Sequence[tuple[tuple[int, int], str]]:
        """(release, what is not traced before it), for rules whose claims stand in a table of releases."""
        return ()

    @classmethod
    def claims(cls, torch: tuple[int, int]) -> dict[Frontend, Outcome]:
        """The outcomes that the rule claims for one torch version."""
        return {f: o.at(torch) if isinstance(o, Since) else o for f, o in cls.outcomes.items()}
