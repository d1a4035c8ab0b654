"""The evaluator: one execution of a body, put together from its mixins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.flow.calls import Calls
from analyzer.flow.conditions import Conditions
from analyzer.flow.expressions import Expressions
from analyzer.flow.frame import Frame
from analyzer.flow.state import State
from analyzer.flow.statements import Statements

if TYPE_CHECKING:
    from analyzer.flow.interpreter import Interpreter


class Evaluator(Statements, Calls, Conditions, Expressions, State):  # type: ignore[misc]
    """Evaluates expressions and executes statements in one frame."""

    def __init__(self, interp: Interpreter, frame: Frame) -> None:
        self.interp = interp
        self.frame = frame
        self._exits = []
        self._repeats = []
