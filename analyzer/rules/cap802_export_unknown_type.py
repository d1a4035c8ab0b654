"""CAP802: an argument or result of a class that torch.export does not know."""

from __future__ import annotations

from analyzer.flow.events import Enter, Event, Return
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance, Value


class ExportUnknownType(Rule):
    """An argument or result of a class that torch.export does not know.

    ## What it does
    Finds exported functions that take or return an object of a plain class of the project.

    ## Why it matters
    Arguments and results of an exported program are flattened to tensors and constants. A class that is not registered
    as a pytree node cannot be: the export fails.

    ## Use instead
    A tuple, a dict or a NamedTuple; or register the class with `torch.export.register_dataclass` or
    `torch.utils._pytree.register_pytree_node`.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/export.html; measured on torch 2.13.
    """

    code, name = "CAP802", "export-unknown-type"
    outcomes = {"export": "refused"}
    examples = [
        Bad(
            """
import torch


class Output:
    def __init__(self, hidden):
        self.hidden = hidden


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return Output(x * 2)  # CAP802
""",
            entry="Net()",
        ),
        Good(
            """
from typing import NamedTuple

import torch


class Output(NamedTuple):
    hidden: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return Output(hidden=x * 2)
""",
            entry="Net()",
            outcomes={"dynamo": "captured", "export": "captured"},
        ),
    ]

    def on_return(self, event: Return, report: Reporter) -> None:
        if event.context.depth == 0 and event.context.module_class is not None and self._unknown(event, event.value):
            report(event, "torch.export cannot flatten an object of this class", value=event.value)

    def on_enter(self, event: Enter, report: Reporter) -> None:
        if not event.root or event.context.module_class is None:
            return
        parameters = event.function.parameters[1:]
        for argument in parameters:
            if self._unknown(event, event.arguments.get(argument.arg)):
                report(event, f"torch.export cannot flatten the class of `{argument.arg}`", node=argument)

    def _unknown(self, event: Event, value: Value | None) -> bool:
        if not isinstance(value, Instance) or value.cls is None:
            return False
        cls = value.cls
        module = event.function.module
        registered = module.holds("register") and module.holds("pytree")
        decorated = bool(cls.node.decorator_list)
        return not cls.node.bases and not decorated and not registered and not cls.module.holds("register_dataclass")
