"""What Dynamo makes of sizes and loops while it translates: numbers baked in, symbols, iterations unrolled.

Told of every instruction before it is evaluated. What a compilation that came to nothing had seen is dropped.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from runtime_probe.dynamo import places
from runtime_probe.report import Loop, SizeRead

#: No report has more of either, and no compilation is remembered with more than so many of both.
MOST, REMEMBERED = 2000, 20_000
_METHODS = ("size", "numel")
_SUBSCRIPT = 26  #: the argument of BINARY_OP that subscripts, since Python 3.14
_Place = Tuple[str, Any]  #: a path and the positions of an instruction


class _Open:
    """A loop that is being unrolled: the instructions from `first` to before `end`."""

    def __init__(self, first: int, end: int, nodes: int, place: _Place) -> None:
        self.first, self.end, self.nodes, self.place = first, end, nodes, place
        self.times = 0


class _Translator:
    """Where one translator is. `finish` takes what the instruction before this one has left on the stack."""

    def __init__(self, tx: Any) -> None:
        self.tx = tx  # kept, so that its id is not given to another
        self.pointer = -1
        self.finish: Optional[Callable[[List[Any]], None]] = None
        self.loops: List[_Open] = []


class Observer:
    """`sizes`, `loops`: what was seen in compilations that succeeded, each different thing once."""

    def __init__(self) -> None:
        self._off = False
        self._translators: Dict[int, _Translator] = {}
        self._reads: List[Tuple[_Place, List[Any]]] = []
        self._unrolled: List[Tuple[_Place, int]] = []
        self._sizes: Dict[Tuple[Any, ...], SizeRead] = {}
        self._loops: Dict[Tuple[Any, ...], Loop] = {}

    @property
    def sizes(self) -> List[SizeRead]:
        return list(self._sizes.values())

    @property
    def loops(self) -> List[Loop]:
        return list(self._loops.values())

    def step(self, tx: Any) -> None:
        """An instruction of the user's code comes next. In a torch whose translator is another, nothing is seen."""
        if not self._off:
            try:
                self._step(tx)
            except (AttributeError, LookupError, TypeError, ValueError):
                self._off = True
                self.dropped()

    def _step(self, tx: Any) -> None:
        pointer = tx.instruction_pointer
        if pointer is None or getattr(tx, "is_tracing_resume_prologue", False):
            return
        known = self._translators.get(id(tx))
        if known is None or known.tx is not tx:
            known = self._translators[id(tx)] = _Translator(tx)
        if known.finish is not None:
            known.finish(tx.stack)
            known.finish = None
        while known.loops and not known.loops[-1].first <= pointer < known.loops[-1].end:
            self._left(tx, known.loops.pop())
        if known.loops and known.pointer == known.loops[-1].first and pointer == known.pointer + 1:
            known.loops[-1].times += 1
        instruction = tx.instructions[pointer]
        name = instruction.opname
        if name == "FOR_ITER":
            self._loop(tx, known, pointer, instruction)
        elif name == "UNPACK_SEQUENCE" or name.startswith(("BINARY_", "CALL")):
            known.finish = self._read(tx, name, instruction)
        known.pointer = pointer

    def compiled(self) -> None:
        """The compilation has given code: what it saw is true of it."""
        for (path, positions), values in self._reads:
            span = places.of_positions(path, positions)
            texts = [_text(value) for value in values]
            if span is not None and None not in texts and len(self._sizes) < MOST:
                shown = [text for text in texts if text is not None]
                line, column, end_line, end_column = span
                self._sizes[(path, span, tuple(shown))] = {
                    "path": path,
                    "line": line,
                    "column": column,
                    "end_line": end_line,
                    "end_column": end_column,
                    "values": shown,
                }
        for (path, positions), times in self._unrolled:
            span = places.of_positions(path, positions)
            if span is not None and len(self._loops) < MOST:
                self._loops[(path, span, times)] = {"path": path, "line": span[0], "column": span[1], "times": times}
        self.dropped()

    def dropped(self) -> None:
        """The compilation is over."""
        self._translators.clear()
        self._reads.clear()
        self._unrolled.clear()

    def _loop(self, tx: Any, known: _Translator, pointer: int, instruction: Any) -> None:
        if known.loops and known.loops[-1].first == pointer and known.pointer > pointer:
            return  # its next iteration
        if known.loops and known.loops[-1].first == pointer:
            known.loops.pop()
        end = tx.indexof.get(instruction.target) if instruction.target is not None else None
        if end is not None:
            place = (tx.f_code.co_filename, instruction.positions)
            known.loops.append(_Open(pointer, end, _operations(tx), place))

    def _left(self, tx: Any, loop: _Open) -> None:
        """A loop that adds nothing to the graph is not unrolled into it."""
        if (
            loop.times
            and len(self._unrolled) < REMEMBERED
            and loop.place[1] is not None
            and _operations(tx) > loop.nodes
        ):
            self._unrolled.append((loop.place, loop.times))

    def _read(self, tx: Any, name: str, instruction: Any) -> Optional[Callable[[List[Any]], None]]:
        """If an instruction reads a size: what takes its result."""
        stack, count = tx.stack, 1
        if name == "UNPACK_SEQUENCE":
            count = int(instruction.argval)
            reads = bool(stack) and _is(stack[-1], "SizeVariable")
        elif name.startswith("CALL"):
            arguments = instruction.argval if isinstance(instruction.argval, int) else 0
            reads = any(
                _is(value, "GetAttrVariable") and getattr(value, "name", "") in _METHODS and _is_tensor(value)
                for value in stack[-arguments - 2 :]
            )
        else:
            subscript = name == "BINARY_SUBSCR" or (name == "BINARY_OP" and instruction.arg == _SUBSCRIPT)
            reads = subscript and len(stack) > 1 and _is(stack[-2], "SizeVariable")
        if not reads or instruction.positions is None or len(self._reads) >= REMEMBERED:
            return None
        place = (tx.f_code.co_filename, instruction.positions)
        return lambda after: self._reads.append((place, list(reversed(after[-count:]))))


def _is(value: Any, name: str) -> bool:
    return type(value).__name__ == name


def _is_tensor(value: Any) -> bool:
    return any(kind.__name__ == "TensorVariable" for kind in type(getattr(value, "obj", None)).__mro__)


def _operations(tx: Any) -> int:
    return sum(node.op not in ("placeholder", "get_attr", "output") for node in tx.output.graph.nodes)


def _text(value: Any) -> Optional[str]:
    """A size as the graph has it: a number, or an expression of symbols; None for anything else."""
    number = getattr(value, "value", None) if _is(value, "ConstantVariable") else getattr(value, "sym_num", None)
    if number is None or isinstance(number, bool):
        return None
    node = getattr(number, "node", None)
    if node is not None:
        return str(node.expr)
    return str(number) if isinstance(number, int) else None
