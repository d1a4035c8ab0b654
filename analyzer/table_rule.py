"""Base of rules whose verdicts stand in the knowledge tables: a rule chooses rows, the row tells the outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from analyzer.dependence import is_proxy
from analyzer.fixes import offers
from analyzer.fixes.offers import Maker
from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row, lookup, variants
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Reporter, Rule
from analyzer.values import Map, Seq, Shape, Value
from analyzer.verdict import breaks, row_of

#: Calls that do nothing for the result; whether a compiled run can do without them is the author's to say.
IDLE = frozenset({"gc.collect", "time.sleep", "sys.stdout.flush", "sys.stderr.flush"})


class TableRule(Rule):
    """Reports calls whose row is one of the rule's `effects` (Python tables) or `ids` (torch tables)."""

    effects: ClassVar[frozenset[str]] = frozenset()
    ids: ClassVar[frozenset[str]] = frozenset()
    #: Whether a frozen result makes trace and fx wrong: only where it differs from call to call.
    freezes: ClassVar[bool] = False
    #: What is said of the call; {} is its name.
    message: ClassVar[str] = "{} is not traced"
    #: Whether a call that only torch.jit.script refuses is reported too.
    scripted: ClassVar[bool] = True

    def wanted(self, event: Call, row: Row, ids: tuple[str, ...]) -> bool:
        """Whether this rule speaks for the row."""
        if row.effect:
            return row.effect in self.effects
        return bool(self.ids & set(ids))

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        """Most calls are torch operations that every frontend captures."""
        row = lookup(name) if name else None
        if row is None:
            return False
        if row.effect:
            return row.effect in cls.effects
        return not cls.ids.isdisjoint(row.ids) and troubles(row)

    def on_call(self, event: Call, report: Reporter) -> None:
        row = row_of(event)
        if row is None:
            return
        broken, ids = breaks(event, row)
        if not self.wanted(event, row, ids or row.ids):
            return
        outcomes = self.judged(event, row, broken)
        if any(o in ("graph_break", "refused", "silently_wrong") for o in outcomes.values()):
            name = self.display(event)
            message, culprit = self.message.format(name), self.culprit(event)
            report(event, message, value=culprit, outcomes=outcomes, graph_breaks=ids, fix=self.fixes(event, report))

    def fixes(self, event: Call, report: Reporter) -> Sequence[Maker]:
        """Makers of the fixes of a finding."""
        if event.name not in IDLE:
            return ()
        return offers.after(
            offers.guard(report, event.node, tells=True, sure=False), report, event, "acts on the process"
        )

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        """Outcomes of one call by its row."""
        outcomes: dict[Frontend, Outcome] = {
            "dynamo": "graph_break" if broken else "captured",
            "fullgraph": "refused" if broken else "captured",
            "export": "captured",  # it runs the program's Python, as a trace does
            "trace": "captured",
            "fx": "captured",
            "script": "captured",
        }
        if row.trace == "freezes" and self.freezes:
            outcomes["trace"] = outcomes["export"] = "silently_wrong"
        elif row.trace == "error" and broken or self._refused_by_trace(event, row):
            outcomes["trace"] = "refused"
        if row.fx == "freezes" and self.freezes:
            outcomes["fx"] = "silently_wrong"
        elif row.fx == "refused" and any(is_proxy(v) for v in (*event.args, *event.kwargs.values())):
            outcomes["fx"] = "refused"
        if row.script == "refused" and self.scripted:
            outcomes["script"] = "refused"
        return outcomes

    def _refused_by_trace(self, event: Call, row: Row) -> bool:
        """Under a trace a size is a tensor: a call that takes numbers may refuse it."""
        sized = variants().get((row.name, "size"))
        return sized is not None and sized.trace == "error" and any(_holds_size(v) for v in event.args)

    def display(self, event: Call) -> str:
        """How the call is named in the message."""
        name = event.name.removeprefix("builtins.").replace("logging.Logger.", "logger.")
        if name.startswith("Tensor."):
            name = name[6:]
        return name + "()"

    def culprit(self, event: Call) -> Value | None:
        """The value whose provenance explains the finding."""
        receiver = event.receiver
        if receiver is not None and receiver.why is not None:
            return receiver
        return next((v for v in event.args if v.why is not None), None)


def troubles(row: Row) -> bool:
    """Whether Dynamo or a trace does not simply record what the row stands for."""
    return row.dynamo not in ("ok", "") or row.trace not in ("ok", "")


def _holds_size(value: Value) -> bool:
    if isinstance(value, Shape):
        return value.taint and value.meta == "size"
    if isinstance(value, Seq):
        return any(_holds_size(i) for i in value.items or (value.element,))
    return isinstance(value, Map) and any(_holds_size(i) for i in value.items.values())
