"""Does a call do what its row of the knowledge tables says? Evaluates the `when` conditions for one Call event."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache

from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row, lookup
from analyzer.project import dotted
from analyzer.values import (
    Const,
    Data,
    Instance,
    Map,
    Seq,
    Shape,
    Static,
    Tensor,
    Unknown,
    Value,
    is_none,
    options_of,
    tensor_in,
)

#: Positions of parameters that conditions name, counted in the function form (the tensor first).
_POSITIONS: Mapping[str, Mapping[str, int]] = {
    "repeat_interleave": {"repeats": 1, "dim": 2, "output_size": 3},
    "one_hot": {"num_classes": 1},
    "bincount": {"weights": 1, "minlength": 2},
    "normal": {"mean": 0, "std": 1, "size": 2},
    "interpolate": {"size": 1, "scale_factor": 2},
    "upsample": {"size": 1, "scale_factor": 2},
    "ctc_loss": {"input_lengths": 2, "target_lengths": 3},
    "cross": {"dim": 2},
    "requires_grad_": {"requires_grad": 1},
    "add": {"alpha": 2},
    "sub": {"alpha": 2},
}


def row_of(event: Call) -> Row | None:
    """The table row of what is called."""
    return lookup(event.name) if event.name else None


def breaks(event: Call, row: Row) -> tuple[bool, tuple[str, ...]]:
    """(whether Dynamo breaks at this call, the registry ids)."""
    if row.dynamo != "break" and (row.dynamo != "error" or row.effect or not row.when):
        return False, ()  # in the Python tables an error tells of the sample arguments
    ids = row.ids
    alternatives = _alternatives(row.when or "always", bool(row.effect))
    for index, alternative in enumerate(alternatives):
        if any(_all(words, event, ids) for words in alternative):
            if len(ids) == len(alternatives):
                return True, (ids[index],)
            return True, ids
    return False, ()


@lru_cache(maxsize=4096)
def _alternatives(when: str, python: bool) -> list[list[list[str]]]:
    """The alternatives of a condition; each holds if all words of one of its lists hold."""
    return [_words(alternative, python) for alternative in when.split(";")]


def _words(alternative: str, python: bool) -> list[list[str]]:
    if python:  # Python tables: a comma separates alternatives, `!` negates what is left out
        parts = [p.strip() for p in alternative.split(",")]
        negated = [p for p in parts if p.startswith("!")]
        return [[p, *negated] for p in parts if not p.startswith("!")]
    return [[w.strip() for w in alternative.split("&")]]


def _all(words: list[str], event: Call, ids: tuple[str, ...]) -> bool:
    return all(_holds(word, event, ids) for word in words)


def _holds(word: str, event: Call, ids: tuple[str, ...]) -> bool:
    if word.startswith("not(") and word.endswith(")"):
        return not _holds(word[4:-1], event, ids)
    if word.startswith("!"):
        return not _holds(word[1:], event, ids)
    if word in ("", "always"):
        return True
    head, _, detail = word.partition(":")
    if "=" in word:
        key, _, wanted = word.partition("=")
        value = parameter(event, key)
        return isinstance(value, Const) and str(value.value) == wanted
    if head == "has":
        return parameter(event, detail) is not None and not _absent(parameter(event, detail))
    if head == "no":
        value = parameter(event, detail)
        return value is None or _absent(value)
    if head == "tensor":
        if not detail:
            return any(_holds_tensor(v) for v in _given(event))
        value = parameter(event, detail)
        if value is not None and "GB0036" in ids:  # an output's size depends on it, wherever it comes from
            return tensor_in(value) is not None
        return value is not None and computed_tensor(value)
    if head in ("input-1d", "tensor-1d"):
        tensor = tensor_in(event.args[int(detail)]) if int(detail) < len(event.args) else None
        return tensor is not None and tensor.ndim != 0
    if head == "tensor-arg":
        return _tensor_argument(detail, event)
    if head == "tensor-list":
        if not detail:
            return any(isinstance(v, Seq) and _holds_tensor(v) for v in _given(event))
        value = event.argument(int(detail), "")
        return isinstance(value, Seq) and any(computed_tensor(i) for i in value.items or (value.element,))
    test = _TESTS.get(head)
    return test is not None and test(event)


def _tensor_argument(detail: str, event: Call) -> bool:
    if detail == "size":
        sizes = [*event.args, *(v for v in (event.kwargs.get("size"),) if v is not None)]
        return any(
            _sized_by_tensor(v) or isinstance(v, Seq) and any(map(_sized_by_tensor, v.items or (v.element,)))
            for v in sizes
        )
    if not detail.isdigit():
        value = parameter(event, detail)
        return value is not None and computed_tensor(value)
    index = int(detail)
    return index < len(event.args) and computed_tensor(event.args[index])


def computed_tensor(value: Value) -> bool:
    """A tensor that is no plain argument: where a number is wanted, Dynamo must read it (an argument is
    specialised)."""
    tensor = tensor_in(value)
    return tensor is not None and tensor.origin != "argument" and not tensor.constant and tensor.ndim in (0, None)


def _sized_by_tensor(value: Value) -> bool:
    tensor = tensor_in(value)
    return tensor is not None and tensor.origin != "argument" and not tensor.constant


def parameter(event: Call, name: str) -> Value | None:
    """A parameter by keyword, or by its known position."""
    if name in event.kwargs:
        return event.kwargs[name]
    position = _POSITIONS.get(event.name.rsplit(".", 1)[-1], {}).get(name)
    if position is None:
        return None
    if event.name.startswith("Tensor."):
        position -= 1
    return event.args[position] if 0 <= position < len(event.args) else None


def _absent(value: Value | None) -> bool:
    return (
        value is None
        or is_none(value)
        or any(is_none(o) for o in options_of(value))
        or isinstance(value, Const)
        and value.value == -1
    )


def _given(event: Call) -> list[Value]:
    found = [*event.args, *event.kwargs.values()]
    receiver = event.receiver
    return [receiver, *found] if receiver is not None else found


def _holds_tensor(value: Value) -> bool:
    if tensor_in(value) is not None:
        return True
    if isinstance(value, Seq):
        return any(_holds_tensor(i) for i in (value.items if value.items is not None else (value.element,)))
    if isinstance(value, Map):
        return any(_holds_tensor(i) for i in value.items.values())
    return False


def _declares_tensor(value: Value) -> bool:
    cls = value.cls if isinstance(value, Instance) else None
    return cls is not None and any("Tensor" in ast.unparse(a) for a in cls.annotations.values())


def _receiver_tensor(event: Call) -> Tensor | None:
    receiver = event.receiver
    if isinstance(receiver, Tensor):
        return receiver
    return tensor_in(event.args[0]) if event.args else None


def _numbers(event: Call) -> bool:
    return all(isinstance(v, (Const, Static, Seq)) and not _holds_tensor(v) for v in event.args)


def _is_module(value: Instance) -> bool:
    if value.cls is None:
        return value.name.startswith("torch.nn.")
    bases = value.cls.node.bases
    return value.cls.method("forward") is not None or any((dotted(b) or "").endswith("Module") for b in bases)


def _made_for_output(value: Value | None) -> bool:
    """A tensor that the captured code made; what is kept or passed in has the size that is wanted."""
    tensor = tensor_in(value) if value is not None else None
    return tensor is not None and tensor.ndim is None and tensor.origin is None


def _leaf(event: Call) -> bool:
    tensor = _receiver_tensor(event)
    return tensor is not None and tensor.leaf


_TESTS: Mapping[str, Callable[[Call], bool]] = {
    "one-arg": lambda e: len(e.args) + len(e.kwargs) == 1,
    "no-arg": lambda e: not e.args and not e.kwargs,
    "3-arg": lambda e: len(e.args) + len(e.kwargs) >= 3,
    "float": lambda e: (t := _receiver_tensor(e)) is not None and t.dtype == "float",
    "int": lambda e: (t := _receiver_tensor(e)) is not None and t.dtype == "int",
    "bool": lambda e: (t := _receiver_tensor(e)) is not None and t.dtype == "bool",
    "0-dim": lambda e: (t := _receiver_tensor(e)) is not None and t.ndim == 0,
    "input": lambda e: (t := _receiver_tensor(e)) is not None and t.origin is not None,
    "intermediate": lambda e: (t := _receiver_tensor(e)) is not None and t.origin is None and not t.leaf,
    "detached": _leaf,
    "fresh": _leaf,
    "constants": _numbers,
    "no-size": lambda e: "size" not in e.kwargs and len(e.args) < 3,
    "out": lambda e: "out" in e.kwargs,
    "out-resized": lambda e: _made_for_output(e.kwargs.get("out")),
    "dynamic-size": lambda e: False,  # only where a size has become symbolic
    "shape": lambda e: any(isinstance(v, Shape) and v.meta == "size" for v in e.args),
    "fields": lambda e: any(map(_declares_tensor, e.args)),
    "object": lambda e: any(isinstance(v, (Instance, Unknown)) for v in e.args),
    "constant": lambda e: bool(e.args) and all(isinstance(v, Const) for v in e.args),
    "module": lambda e: any(isinstance(v, Instance) and _is_module(v) for v in e.args),
    "data": lambda e: any(isinstance(v, Data) for v in e.args),
    "size": lambda e: any(isinstance(v, Shape) and v.meta == "size" for v in e.args),
}
