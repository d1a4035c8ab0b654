"""What the interpreter of kernels tells the rules 7xx: facts about a `@triton.jit` function, with abstract values.

They are events like all others: a rule handles `KernelTest` in `on_kernel_test`. `function` is the jit function.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from analyzer.finding import Place
from analyzer.flow.events import Event
from analyzer.flow.kernel_values import KernelValue
from analyzer.flow.reporting import place


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelEvent(Event):
    """Base of all events from inside a kernel. `related`: another place that explains it."""

    related: ast.AST | None = None

    def places(self, text: str) -> tuple[Place, ...]:
        """The other place, in words, for a report."""
        if self.related is None:
            return ()
        return (place(self.function.module, self.related, text),)


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelSyntax(KernelEvent):
    """A construct that Triton's frontend has no translation for. `kind`: the ast class name, or FormattedTensor,
    DoubleStar, ElseOfLoop, ChainedAssignment, WithoutCall, NestedComprehension."""

    kind: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelTest(KernelEvent):
    """A value decides what runs next, or whether compilation goes on. `form`: if, while, ternary, static_assert."""

    value: KernelValue
    form: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelReturn(KernelEvent):
    """A `return` inside a loop or a `with` that Triton builds as one region. `inside`: loop, with."""

    inside: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelReturnTypes(KernelEvent):
    """Two returns of one function that differ in type. `change` says how."""

    change: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelName(KernelEvent):
    """A name is read that a kernel cannot read. `value`: what it is outside (a Global, PythonFunction, Builtin), or
    Gone for a name that a branch or loop took with it."""

    name: str
    value: KernelValue


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelHostCall(KernelEvent):
    """A function of Python, NumPy or torch is called. `tensor`: with a tensor."""

    name: str
    tensor: bool


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelBuiltinCall(KernelEvent):
    """A Python builtin that kernels have is called with what it does not take. `problem` says what is wrong."""

    name: str
    problem: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelIteration(KernelEvent):
    """A `for` statement or a comprehension over something else than a range. `problem` says what is wrong."""

    problem: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelCarried(KernelEvent):
    """A loop changes the type of a variable that lives before it."""

    name: str
    before: KernelValue
    after: KernelValue
    change: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelMerge(KernelEvent):
    """The branches of an `if` or ternary on a runtime value leave values of different types ("" for a ternary)."""

    name: str
    before: KernelValue
    after: KernelValue
    change: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelShape(KernelEvent):
    """A size of a block. `problem`: runtime (no constexpr), power (not a power of two), empty (an empty range),
    number (a bare number where a tuple is wanted), float."""

    call: str
    problem: str
    value: KernelValue


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelMemory(KernelEvent):
    """`tl.load`, `tl.store` or an atomic operation. `problem`: pointer, mask-block, value-block, other, mask-type."""

    call: str
    problem: str
    value: KernelValue


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelIndex(KernelEvent):
    """A tensor is subscripted. `access`: load, store. `problem` says what is wrong."""

    access: str
    problem: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelOperation(KernelEvent):
    """An operator is applied to tensors that do not have it. `problem` says what is wrong; `shapes`: sizes conflict."""

    operator: str
    problem: str
    shapes: bool = False


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelAttribute(KernelEvent):
    """An attribute that a tensor, tuple or `triton.language` (`owner`: tensor, tuple, language) does not have."""

    owner: str
    attribute: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelAssign(KernelEvent):
    """An assignment that kernels do not have. `problem`: constexpr (reassigned), string, function, attribute, starred,
    unpack (a tensor), count."""

    problem: str
    name: str = ""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelDot(KernelEvent):
    """`tl.dot` of operands that do not fit. `problem` says what is wrong."""

    problem: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelRemoved(KernelEvent):
    """Something that Triton's language no longer has is used."""

    name: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelElementType(KernelEvent):
    """An element type is given as something else than one of `triton.language`: a string, a NumPy or torch type."""

    given: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelRecent(KernelEvent):
    """Something is used that Triton 3.2 does not have: a function of `triton.language`, or a construct (ListComp)."""

    name: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelArguments(KernelEvent):
    """A jit function or one of `triton.language` is called with arguments that its signature does not have."""

    call: str
    problem: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelSignature(KernelEvent):
    """A parameter that a kernel cannot have. `problem` says what is wrong."""

    problem: str


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class KernelLaunch(KernelEvent):
    """Host code calls a kernel like a function, without a grid."""

    name: str
