"""Where TorchDynamo can go on after a graph break (torch 2.13, measured on CPython 3.11).

It resumes after calls, comparisons, subscripts, stores and jumps. At any other instruction (`in`, arithmetic, reading
an attribute, a slice's bounds, entering a `with`, starting an iteration, formatting) it gives up what is left of the
frame: all of it if no tensor operation came before.
"""

from __future__ import annotations

import ast

from analyzer.flow.events import AttributeLoad, Event, HostRead, Iterate, Operation, Subscript, Syntax, TruthTest, With

#: Kinds of `Syntax` events that stand for such an instruction.
_STOPPING = frozenset({"Import", "Try", "Await", "AsyncFor", "Yield", "YieldFrom", "JoinedStr", "Delete", "Set"})


def resumes_after(event: Event) -> bool:
    """Whether Dynamo can go on after a break at the instruction that an event stands for."""
    if isinstance(event, (AttributeLoad, With)):
        return False
    if isinstance(event, Iterate):
        return event.form == "builtin"
    if isinstance(event, HostRead):
        return event.how not in ("contains", "slice", "format")
    if isinstance(event, TruthTest):
        return event.form != "not"
    if isinstance(event, Operation):
        return isinstance(event.node, ast.Compare) and event.operator not in ("In", "NotIn", "Is", "IsNot")
    if isinstance(event, Subscript):
        return event.access != "del"
    if isinstance(event, Syntax):
        return event.kind not in _STOPPING
    return True
