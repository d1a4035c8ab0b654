"""What the model of torch.jit.script's compiler tells the rules 40x: one event for each thing that it refuses.

Every event has `text`: what is refused, in the words of a message.
"""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.flow.events import Event


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptEvent(Event):
    """Base of the events of TorchScript."""

    text: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptConstruct(ScriptEvent):
    """A statement or expression that TorchScript has no form for. `kind`: the ast class name; `statement`: it is
    one."""

    kind: str
    statement: bool


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptSignature(ScriptEvent):
    """A compiled function takes `*args`, `**kwargs` or keyword-only parameters with defaults, or a mutable default."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptGlobal(ScriptEvent):
    """A Python value from outside the function (module-level, closure or class attribute) is read."""

    name: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptAttribute(ScriptEvent):
    """An attribute of a module that cannot become a TorchScript attribute is used. `attribute`: its name."""

    attribute: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptAttributeStore(ScriptEvent):
    """`self.attribute` is assigned, but is not there after `__init__`, or holds another type."""

    attribute: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptOptional(ScriptEvent):
    """An Optional is used where its value is needed, and no test of a local variable has ruled None out."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptTypeChange(ScriptEvent):
    """A variable, a conditional expression or the returned value has more than one type."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptTensorParameter(ScriptEvent):
    """A parameter without an annotation is a Tensor for TorchScript, and is used or passed as something else."""

    parameter: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptOperand(ScriptEvent):
    """An operation or call is given a type that TorchScript has no overload for."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptCall(ScriptEvent):
    """Something is called that TorchScript can neither find nor compile. `name`: qualified."""

    name: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptIndex(ScriptEvent):
    """A ModuleList, ModuleDict or a tuple of several types is indexed by what is no literal."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptStar(ScriptEvent):
    """Something of a length that is not known to the compiler is unpacked with a star."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptWith(ScriptEvent):
    """A context manager that TorchScript cannot enter."""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class ScriptAnnotation(ScriptEvent):
    """An annotation that is no TorchScript type."""
