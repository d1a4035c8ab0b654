"""What a change of state that outlives the call costs under each frontend; shared by the rules on mutated state."""

from __future__ import annotations

import ast

from analyzer.flow.events import StateChange
from analyzer.observe import observed
from analyzer.outcome import BAD, Frontend, Outcome
from analyzer.project import FunctionInfo
from analyzer.values import Const, Seq, Static, Tensor, Union, Unknown, Value, is_none, is_tainted, options_of

_STEPS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.LShift, ast.Pow)
#: Methods that make a container longer.
GROWING = frozenset({"append", "extend", "insert", "appendleft", "extendleft"})


def host_type(value: Value | None) -> str:
    """int, float, bool or str for a host value of that type, else ""."""
    if isinstance(value, Const) and value.value is not None:
        return type(value.value).__name__
    return value.type if isinstance(value, Static) and value.type in ("int", "float", "bool", "str") else ""


def progresses(event: StateChange) -> bool:
    """Whether the new value is computed from the old one and so takes many values (a toggle takes two)."""
    statement = event.statement
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, _STEPS)
    if not isinstance(statement, ast.Assign):
        return False
    target = statement.targets[0]
    return _steps_from(statement.value, _text(target))


def depends_on_itself(event: StateChange) -> bool:
    """Whether the statement reads what it stores."""
    statement = event.statement
    if isinstance(statement, ast.AugAssign):
        return True
    return isinstance(statement, ast.Assign) and _mentions(statement.value, _text(statement.targets[0]))


def _text(node: ast.AST) -> str:
    return ast.unparse(node)


def _mentions(node: ast.AST, text: str) -> bool:
    kinds = (ast.Name, ast.Attribute, ast.Subscript)
    return any(isinstance(n, kinds) and _text(n) == text for n in ast.walk(node))


def _steps_from(value: ast.expr, text: str) -> bool:
    if isinstance(value, ast.IfExp):
        return _steps_from(value.body, text) or _steps_from(value.orelse, text)
    if isinstance(value, ast.Call):
        return (
            isinstance(value.func, ast.Name)
            and value.func.id in ("min", "max")
            and any(_steps_from(a, text) for a in value.args)
        )
    if not isinstance(value, ast.BinOp):
        return False
    if isinstance(value.op, ast.Mod):
        few = isinstance(value.right, ast.Constant) and isinstance(value.right.value, int) and value.right.value <= 2
        return not few and _mentions(value.left, text)
    if isinstance(value.op, ast.Sub):
        return _mentions(value.left, text)
    return isinstance(value.op, _STEPS) and _mentions(value, text)


def outcomes_of(event: StateChange) -> dict[Frontend, Outcome]:
    """The outcomes of a change of a number, text or tensor; empty if nothing goes wrong."""
    before = [o for o in options_of(event.before) if not is_none(o)] if event.before is not None else []
    kinds = [*before, *options_of(event.stored)]
    if any(isinstance(k, Seq) for k in kinds):
        return {}
    tensor = next((k for k in kinds if isinstance(k, Tensor)), None)
    host = "" if tensor is not None else next((t for t in map(host_type, kinds) if t), "")
    used = event.read_elsewhere and (event.read_before if event.how != "item" else depends_on_itself(event))
    replays_old = event.lives != "argument" or event.state.startswith("self.")
    outcomes: dict[Frontend, Outcome] = {}
    if tensor is not None and used and replays_old:
        in_place = event.how == "augment" and any(isinstance(k, Tensor) for k in before)
        outcomes["fx"] = "silently_wrong"
        outcomes["trace"] = "captured" if in_place else "silently_wrong"
        if any(isinstance(k, Tensor) and k.origin == "buffer" for k in before):
            outcomes["export"] = "captured"
        else:
            outcomes["export"] = outcomes["trace"]
    elif host:
        if used and replays_old and (depends_on_itself(event) or not isinstance(event.stored, Const)):
            outcomes["trace"] = outcomes["fx"] = outcomes["export"] = "silently_wrong"
        specialised = event.lives not in ("argument", "closure")
        anew = specialised and progresses(event) and observed(_set_anew, event.function, event.state)
        storm = host in ("int", "str") and specialised and progresses(event) and not anew
        outcomes["dynamo"] = outcomes["fullgraph"] = "recompiles" if storm else "guarded"
    elif (
        used
        and replays_old
        and event.how == "assign"
        and is_tainted(event.stored)
        and isinstance(event.stored, (Unknown, Union))
    ):
        outcomes["trace"] = outcomes["fx"] = outcomes["export"] = "silently_wrong"
    return outcomes if any(o in BAD for o in outcomes.values()) else {}


def _set_anew(info: FunctionInfo, state: str) -> bool:
    """Whether a method that this file calls gives the attribute a constant: then its value need not go on and on."""
    if info.cls is None:
        return False
    text = info.module.source.text
    return any(
        isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant) and state in map(_text, n.targets)
        for name, method in info.cls.methods.items()
        if not name.startswith("__") and name != info.name and f".{name}(" in text
        for n in ast.walk(method.node)
    )


def explained(event: StateChange, outcomes: dict[Frontend, Outcome]) -> str:
    """The message: what is lost."""
    if outcomes.get("dynamo") == "recompiles":
        return f"`{event.state}` changes on every call: recompiles up to the limit, then runs eagerly"
    return f"`{event.state}` is kept between calls; a trace or an FX graph never updates it"
