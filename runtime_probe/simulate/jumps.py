"""The conditional jumps of a code object, each with the condition of the source that it stands for.

Standard library only; Python 3.9 to 3.14. Since 3.11 an instruction knows its position: that of the operand, or that of
the whole statement where the operand is a name. Before, it knows its line.
"""

from __future__ import annotations

import dis
import re
import types
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from runtime_probe.simulate.conditions import Conditions, Container, Span

_ON_TRUTH = re.compile(r"JUMP.*IF_(TRUE|FALSE|NONE|NOT_NONE)")


class Jump(NamedTuple):
    """A jump at a condition, by its number. `jumped`: how the condition came out if the jump was taken; `partly`: it
    compares the first operands of a chain, so that only False settles the chain. `own`: the offset of the instruction
    itself, which prefixes may stand before."""

    target: int
    condition: int
    jumped: bool
    partly: Optional[bool]
    own: int


class _Found(NamedTuple):
    offset: int
    first: int  #: with the prefixes before it
    name: str
    target: int
    span: Optional[Span]
    line: int
    flipped: Optional[bool]  #: the `is not` or `not in` that the instruction before it computes


def of_code(code: types.CodeType, known: Conditions, positions: bool = True) -> Dict[int, Jump]:
    """The jumps of one code object by their offsets. `positions`: whether to use those of instructions."""
    found = list(_jumps(code, positions))
    result: Dict[int, Jump] = {}
    for container in known.containers:
        if any(jump.span is not None for jump in found):
            own = [jump for jump in found if jump.span in container.spans]
        else:
            if container.scope != (code.co_name, code.co_firstlineno):
                continue
            own = [jump for jump in found if container.lines[0] <= jump.line <= container.lines[1]]
            own = own if _alone(container, known) else []
        for jump, number, part in _joined(own, container, known):
            made = _made(jump, number, part, known)
            result[jump.offset] = result[jump.first] = made
    return result


def _alone(container: Container, known: Conditions) -> bool:
    """Whether no other container of the same function shares one of its lines: without columns they cannot be told
    apart."""
    low, high = container.lines
    return not any(
        other is not container and other.scope == container.scope and other.lines[0] <= high and low <= other.lines[1]
        for other in known.containers
    )


def _joined(own: List[_Found], container: Container, known: Conditions) -> Iterator[Tuple[_Found, int, int]]:
    """(jump, condition, which of the condition's jumps): in order, where their numbers fit; tests may be compiled
    several times. Else those that stand at an operand itself."""
    expected = [(n, part) for n in container.conditions for part in range(known.all[n].jumps)]
    if own and len(own) % len(expected) == 0:
        for place, jump in enumerate(own):
            yield (jump, *expected[place % len(expected)])
        return
    for number in container.conditions:
        at = [jump for jump in own if jump.span == known.all[number].operand]
        for place, jump in enumerate(at):
            yield jump, number, place % known.all[number].jumps


def _made(jump: _Found, number: int, part: int, known: Conditions) -> Jump:
    condition = known.all[number]
    on = jump.name in ("TRUE", "NONE")
    if condition.flipped is not None:
        # the optimiser may have turned `not (a is b)` into `a is not b`, so what was computed decides
        computed = False if jump.name in ("NONE", "NOT_NONE") else jump.flipped
        if computed is not None and computed != condition.flipped:
            on = not on
    partly = part < condition.jumps - 1
    return Jump(jump.target, number, on != condition.negated, condition.negated if partly else None, jump.offset)


def _jumps(code: types.CodeType, positions: bool) -> Iterator[_Found]:
    line, first, flipped = code.co_firstlineno, None, None
    for instruction in dis.get_instructions(code):
        line = _line_of(instruction) or line
        if instruction.opname == "EXTENDED_ARG":
            first = instruction.offset if first is None else first
            continue
        match = _ON_TRUTH.search(instruction.opname)
        if match and "EXC_MATCH" not in instruction.opname:
            begin = instruction.offset if first is None else first
            span = _span_of(instruction) if positions else None
            yield _Found(instruction.offset, begin, match.group(1), instruction.argval, span, line, flipped)
        if instruction.opname in ("IS_OP", "CONTAINS_OP"):
            flipped = bool(instruction.arg)
        elif instruction.opname == "COMPARE_OP" and instruction.argval in ("is", "is not", "in", "not in"):
            flipped = "not" in instruction.argval
        elif instruction.opname not in ("COPY", "TO_BOOL", "CACHE", "NOP"):
            flipped = None
        first = None


def _span_of(instruction: Any) -> Optional[Span]:
    found = getattr(instruction, "positions", None)
    if found is None or None in (found.lineno, found.col_offset, found.end_lineno, found.end_col_offset):
        return None
    return found.lineno, found.col_offset, found.end_lineno, found.end_col_offset


def _line_of(instruction: Any) -> Optional[int]:
    number = getattr(instruction, "line_number", None)  # since 3.13
    if number is None and not isinstance(instruction.starts_line, bool):
        number = instruction.starts_line
    return number
