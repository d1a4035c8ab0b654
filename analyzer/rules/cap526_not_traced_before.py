"""CAP526: what TorchDynamo captures today and did not in the release that is aimed at."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analyzer.flow.events import Call, Event, Operation, Subscript, Syntax, With
from analyzer.knowledge.versions import MEASURED, Change, changes, not_yet
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Map, Seq, Tensor, tensor_in


class NotTracedBefore(Rule):
    """Constructs that TorchDynamo captures today and did not in the torch release that is aimed at.

    ## What it does
    Finds, for `--target-torch` (or the torch of the project's environment) below 2.13, calls and statements that later
    releases trace: see the table below.

    ## Why it matters
    Code that compiles into one graph on a developer's torch breaks on an older one that it says it supports: the graph
    ends there, or, where Dynamo cannot go on behind the construct, the rest of the function runs eagerly. The release
    named is the first whose sources do not show the break any more.

    ## Use instead
    Require the release that the message names, or write what that release traces already: a loop instead of
    `list.count`, `set(a) <= set(b)` of constants computed outside, `if isinstance(…)` instead of a class pattern.

    ## Fix safety
    No fix is offered.

    ## References
    `analyzer/knowledge/traced_since.tsv` has for each row the sources of PyTorch that show it; that these rows are
    captured was measured on torch 2.13.
    """

    code, name = "CAP526", "not-traced-before"
    outcomes = {"dynamo": "graph_break", "fullgraph": "refused"}
    graph_breaks = ("GB0156", "GB0147", "GB0059", "GB0007", "GB0029", "GB0082")
    examples = [
        Bad(
            """
import itertools

import torch


def fn(x):
    seen = [1, 2, 1]
    y = x * seen.count(1)  # CAP526
    for n in itertools.filterfalse(None, [0, 1]):  # CAP526
        y = y + n
    return y
""",
            target=(2, 8),
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Bad(
            """
import re

import torch


def fn(x):
    name = re.sub("[0-9]", "", "layer1")  # CAP526
    return x * len(name)
""",
            target=(2, 6),
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Bad(
            """
import torch


def fn(x: torch.Tensor):
    y = x * 2
    y.register_hook(lambda grad: grad * 2)  # CAP526
    return y.sum()
""",
            inputs="torch.ones(3, requires_grad=True)",
            title="a hook on a computed tensor",
            target=(2, 10),
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Bad(
            """
import torch


def fn(x):
    known = {1, 2}
    y = x + 1
    if known.issubset({1, 2, 3}):  # CAP526
        y = y * hash("a")  # CAP526
    return y
""",
            target=(2, 7),
            outcomes={"dynamo": "captured", "fullgraph": "captured"},
        ),
        Good(
            """
import itertools

import torch


def fn(x):
    seen = [1, 2, 1]
    pairs = list(itertools.chain(seen, {3}.union({4})))
    return x * len(pairs) + seen.index(2)
""",
        ),
    ]

    @classmethod
    def applies(cls, torch: tuple[int, int]) -> bool:
        return bool(not_yet(torch))

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        return ("call", name) in changes()

    @classmethod
    def history(cls) -> Sequence[tuple[tuple[int, int], str]]:
        rows = {change for change in changes().values() if change.since <= MEASURED and change.before != "captured"}
        return sorted((change.since, described(change)) for change in rows)

    def on_call(self, event: Call, report: Reporter) -> None:
        change = not_yet(report.torch).get(("call", event.name))
        if change is None or change.when == "intermediate" and not _computed(event):
            return
        self._tell(event, change, report)

    def on_with(self, event: With, report: Reporter) -> None:
        self._look("with", event.name, event, report)

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        if event.access == "del" and isinstance(event.value, Seq) and event.value.type == "list":
            self._look("delete", "list", event, report)

    def on_operation(self, event: Operation, report: Reporter) -> None:
        if event.operator != "BitOr" or isinstance(event.node, ast.AugAssign):
            return
        if isinstance(event.left, Map) and isinstance(event.right, Map) and _holds_tensor(event.left):
            self._look("or", "dict", event, report)

    def on_syntax(self, event: Syntax, report: Reporter) -> None:
        if isinstance(event.node, ast.Match) and isinstance(event.node.cases[0].pattern, ast.MatchClass):
            self._look("match", "class", event, report)

    def _look(self, form: str, name: str, event: Event, report: Reporter) -> None:
        change = not_yet(report.torch).get((form, name))
        if change is not None:
            self._tell(event, change, report)

    def _tell(self, event: Event, change: Change, report: Reporter) -> None:
        dynamo: Outcome = "skipped_frame" if change.before == "skipped_frame" else "graph_break"
        outcomes: dict[Frontend, Outcome] = {"dynamo": dynamo, "fullgraph": "refused"}
        message = f"{described(change)} is not traced before torch {change.since[0]}.{change.since[1]}"
        node = event.node.subject if isinstance(event.node, ast.Match) else None
        report(event, message, node=node, outcomes=outcomes, graph_breaks=(change.graph_break,))


_FORMS = {
    ("with", "contextlib.contextmanager"): "a @contextmanager function in `with`",
    ("delete", "list"): "`del` of a list's item",
    ("or", "dict"): "`|` of dicts with tensors",
    ("match", "class"): "a class pattern",
    ("call", "dict.move_to_end"): "OrderedDict.move_to_end()",
}


def described(change: Change) -> str:
    """How the construct is named in messages and on the rule's page."""
    known = _FORMS.get((change.form, change.name))
    if known is not None:
        return known
    name = change.name.removeprefix("builtins.") + "()"
    return f"{name} on a computed tensor" if change.when == "intermediate" else name


def _computed(event: Call) -> bool:
    """Whether the receiver is the result of an operation of the captured code: Dynamo has no source for it."""
    receiver = event.receiver
    if not isinstance(receiver, Tensor) or receiver.origin is not None or receiver.constant or receiver.leaf:
        return False
    return receiver.why is not None and isinstance(receiver.why.node, (ast.BinOp, ast.UnaryOp, ast.Call))


def _holds_tensor(value: Map) -> bool:
    return any(tensor_in(item) is not None for item in value.items.values())
