"""From a failed call to the calls to try next: what the error says is changed, and nothing else."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import re
from typing import Dict, Iterator, List, Optional, Pattern, Tuple

from runtime_probe.synthesis.argument import Argument, Call, Group, Tensor, Text
from runtime_probe.synthesis.blame import Failure
from runtime_probe.synthesis.guesses import Guesses, channels_first, with_rank
from runtime_probe.synthesis.layers import BATCH, LENGTH, leaves_of

Repair = Tuple[float, Call]

_IMAGES = (28, 64, 224, 16, 96, 128, 256, 299, 8)
_LENGTHS = (16, 32, 64, 128, 512, 1024, 4096, 16000)
_LARGEST = 1 << 22


@functools.lru_cache(1)
def _patterns() -> List[Tuple[str, Pattern[str]]]:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "messages.tsv")
    found = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            kind, tab, pattern = line.rstrip("\n").partition("\t")
            if tab and not line.startswith(("#", "kind\t")):
                found.append((kind, re.compile(pattern)))
    return found


def repairs(call: Call, failure: Failure, guesses: Guesses) -> Iterator[Repair]:
    """Changed calls with the cost of each change, most likely first."""
    order = tuple(guesses.parameters)
    for kind, pattern in _patterns():
        match = pattern.search(failure.message)
        if match is None:
            continue
        groups = {k: int(v) for k, v in match.groupdict().items() if v is not None}
        if kind in ("size", "either") and "want" in groups:
            yield from _resized(call, failure, groups["got"], groups["want"], 0.2)
            if kind == "either":
                yield from _resized(call, failure, groups["want"], groups["got"], 0.3)
                yield from _alike(call, failure)
        elif kind == "alike":
            yield from _alike(call, failure)
        elif kind == "multiple" or "multiple" in groups:
            yield from _multiples(call, failure, groups.get("want") or groups.get("multiple") or 0)
        elif kind == "rank":
            for key in ("want2", "want"):
                if groups.get(key):
                    yield from _ranked(call, failure, guesses, groups[key])
        elif kind in ("more", "fewer"):
            yield from _other_rank(call, failure, guesses, 1 if kind == "more" else -1)
        elif kind in ("index", "bool", "real", "double"):
            yield from _typed(call, failure, guesses, kind)
        elif kind == "lower":
            yield from _lowered(call, failure, groups.get("most", LENGTH - 1) + 1)
        elif kind == "scalar":
            for cost, name, _ in _blamed(call, failure):
                yield 0.2 + cost, call.mapped(lambda n, t, name=name: t.with_shape(()) if n == name else t)  # type: ignore[misc]
        elif kind == "whole":
            for cost, name, _ in _blamed(call, failure):
                for text in ("2", "8"):
                    yield 0.3 + cost, call.having(name, Text(text), order)
        elif kind == "larger":
            yield from _spatial(call, 0.3)
    yield from _supplied(call, failure, guesses, order)
    yield from _compared(call, failure, guesses)
    yield from _objects(call, failure, guesses, order)
    yield from _other_numbers(call, failure)


def _blamed(call: Call, failure: Failure) -> Iterator[Tuple[float, str, Tensor]]:
    """The tensors of a call, those first that the message names, then those that the failing statement uses."""
    quoted = re.findall(r"(?:argument |[`'\"])(\w+)", failure.message)
    for name, tensor in call.tensors():
        if name in quoted:
            yield 0.0, name, tensor
        elif name in failure.blamed:
            yield 0.1 * failure.blamed.index(name), name, tensor
        else:
            yield (0.3 if failure.blamed else 0.1), name, tensor


def _resized(call: Call, failure: Failure, got: int, want: int, cost: float) -> Iterator[Repair]:
    """Every size that is `got` becomes `want`, one tensor at a time and all together; else a factor of it, or the
    spatial sizes that it came from."""
    if got == want or not 0 < want <= _LARGEST:
        return
    touched = False
    for more, name, tensor in sorted(_blamed(call, failure), key=lambda b: b[0]):
        places = [i for i, size in enumerate(tensor.shape) if size == got]
        for place in reversed(places):
            touched = True
            shape = (*tensor.shape[:place], want, *tensor.shape[place + 1 :])
            yield cost + more, _replaced(call, name, tensor, tensor.with_shape(shape))
    everywhere = call.mapped(lambda _, t: t.with_shape(tuple(want if s == got else s for s in t.shape)))
    if everywhere != call:
        yield cost + 0.15, everywhere
    if touched and got > LENGTH:
        return
    for name, tensor in call.tensors():
        for place, size in enumerate(tensor.shape):
            related = got % size == 0 or size % got == 0
            if size > 1 and got not in (size, 1) and related and size * want % got == 0:
                shape = (*tensor.shape[:place], size * want // got, *tensor.shape[place + 1 :])
                yield cost + 0.3, _replaced(call, name, tensor, tensor.with_shape(shape))
            elif size > 1 and abs(got - size) <= 2 and want - (got - size) > 0:
                shape = (*tensor.shape[:place], want - (got - size), *tensor.shape[place + 1 :])
                yield cost + 0.3, _replaced(call, name, tensor, tensor.with_shape(shape))
    yield from _spatial(call, cost + 0.3, want / got)


def _replaced(call: Call, name: str, old: Tensor, new: Tensor) -> Call:
    return call.mapped(lambda n, t: new if n == name and t == old else t)


def _spatial(call: Call, cost: float, ratio: float = 4.0) -> Iterator[Repair]:
    """Other heights and widths, or lengths: those first that change the number of elements by `ratio`."""
    for name, tensor in call.tensors():
        rank = len(tensor.shape)
        if rank in (4, 5) and tensor.is_float:
            side = tensor.shape[-1]
            scaled = round(side * math.sqrt(max(ratio, 1e-6)))
            near = [scaled + d for d in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, 6)]
            for step, size in enumerate([*near, *_IMAGES]):
                if 0 < size <= 512 and size != side:
                    shape = (*tensor.shape[:-2], size, size)
                    yield cost + 0.04 * step, _replaced(call, name, tensor, tensor.with_shape(shape))
        elif rank >= 2 and tensor.is_float:
            length = tensor.shape[-1]
            scaled = round(length * ratio)
            for step, size in enumerate([scaled, scaled + 1, scaled - 1, scaled + 2, *_LENGTHS]):
                if 0 < size <= 1 << 16 and size != length:
                    yield (
                        cost + 0.2 + 0.05 * step,
                        _replaced(call, name, tensor, tensor.with_shape((*tensor.shape[:-1], size))),
                    )


def _alike(call: Call, failure: Failure) -> Iterator[Repair]:
    """One tensor gets the shape of another, or all get that of one."""
    tensors = call.tensors()
    if len(tensors) > 2:
        for shape in dict.fromkeys(tensor.shape for _, tensor in tensors):
            yield 0.5, call.mapped(lambda _, t, shape=shape: t.with_shape(shape))  # type: ignore[misc]
    for name, tensor in tensors:
        for other, model in tensors:
            if other != name and model.shape != tensor.shape:
                cost = 0.4 if name in failure.blamed or other in failure.blamed else 0.7
                yield cost, _replaced(call, name, tensor, tensor.with_shape(model.shape))


def _multiples(call: Call, failure: Failure, factor: int) -> Iterator[Repair]:
    if factor < 2:
        return
    for cost, name, tensor in _blamed(call, failure):
        for place in reversed(range(len(tensor.shape))):
            size = tensor.shape[place]
            if size % factor and place > 0:
                shape = list(tensor.shape)
                shape[place] = -(-size // factor) * factor
                yield 0.2 + cost, _replaced(call, name, tensor, tensor.with_shape(tuple(shape)))


def _ranked(call: Call, failure: Failure, guesses: Guesses, rank: int) -> Iterator[Repair]:
    if not 0 <= rank <= 6:
        return
    leaves = leaves_of(guesses.sizes._module)
    for cost, name, tensor in _blamed(call, failure):
        if len(tensor.shape) == rank:
            continue
        shapes = [with_rank(tensor.shape, rank)] if rank else [()]
        if rank in (3, 4, 5) and tensor.is_float:
            images = channels_first(tensor.shape, rank, leaves)
            shapes = [images, *shapes] if rank >= 4 else [*shapes, images]
        shapes += [tensor.shape[:rank]] if len(tensor.shape) > rank > 0 else []
        if rank == len(tensor.shape) + 1:
            shapes += [(1, *tensor.shape), (*tensor.shape, 1), (*tensor.shape[:1], 1, *tensor.shape[1:])]
        for step, shape in enumerate(dict.fromkeys(shapes)):
            yield 0.25 + cost + 0.15 * step, _replaced(call, name, tensor, tensor.with_shape(shape))


def _other_rank(call: Call, failure: Failure, guesses: Guesses, step: int) -> Iterator[Repair]:
    for name in dict.fromkeys([*failure.blamed, *(n for n, _ in call.tensors())]):
        for owner, tensor in call.tensors():
            if owner == name:
                only = dataclasses.replace(failure, blamed=(name,))
                for cost, changed in _ranked(call, only, guesses, len(tensor.shape) + step):
                    if changed.get(name) != call.get(name):
                        yield cost, changed


def _typed(call: Call, failure: Failure, guesses: Guesses, kind: str) -> Iterator[Repair]:
    """The dtype that is wanted, for one tensor at a time."""
    high = guesses.sizes.of("vocabulary")
    for cost, name, tensor in _blamed(call, failure):
        changed: List[Tensor] = []
        if kind == "index" and not tensor.is_index:
            shapes = [tensor.shape, tensor.shape[:1], tensor.shape[:-1], (BATCH, LENGTH)]
            changed = [Tensor(shape, "ints", high=high) for shape in dict.fromkeys(shapes) if shape]
        elif kind == "bool" and not tensor.is_bool:
            changed = [Tensor(tensor.shape, "ones", "bool")]
        elif kind == "real" and not tensor.is_float:
            fill = "normal" if tensor.fill == "ints" else tensor.fill
            changed = [Tensor(tensor.shape, fill)]
        elif kind == "double" and tensor.is_float:
            changed = [dataclasses.replace(tensor, dtype=None if tensor.dtype == "float64" else "float64")]
        for step, new in enumerate(changed):
            yield 0.3 + cost + 0.2 * step, _replaced(call, name, tensor, new)


def _lowered(call: Call, failure: Failure, bound: int) -> Iterator[Repair]:
    """Smaller indices, below `bound` if that is enough."""
    for cost, name, tensor in _blamed(call, failure):
        if tensor.fill == "ints":
            for high in (bound, 2, 1):
                if high < tensor.high:
                    yield 0.2 + cost, _replaced(call, name, tensor, dataclasses.replace(tensor, high=high))
        elif tensor.is_float and not failure.blamed:
            yield 0.6 + cost, _replaced(call, name, tensor, dataclasses.replace(tensor, fill="uniform"))
        if tensor.is_float and name in failure.blamed:
            yield 0.5 + cost, _replaced(call, name, tensor, Tensor(tensor.shape, "ints", high=2))
    lowest = call.mapped(lambda _, t: dataclasses.replace(t, high=2) if t.fill == "ints" else t)
    if lowest != call:
        yield 0.5, lowest


def _supplied(call: Call, failure: Failure, guesses: Guesses, order: Tuple[str, ...]) -> Iterator[Repair]:
    """An optional argument that turned out to be needed: one that the message or the failing statement names."""
    given = {name for name, _ in call.arguments}
    missing = [n for n in guesses.optional if n not in given]
    words = set(re.findall(r"\w+", failure.message))
    nothing = any(k == "none" and p.search(failure.message) for k, p in _patterns())
    for place, name in enumerate(missing):
        if name in words:
            cost = 0.1 + 0.02 * place
        elif name in failure.mentioned:
            cost = 0.2 + 0.02 * place
        elif nothing:
            cost = 0.6 + 0.1 * place
        else:
            continue
        for step, candidate in enumerate(guesses.of(name)[:3]):
            yield cost + 0.3 * step, call.having(name, candidate, order)


def _compared(call: Call, failure: Failure, guesses: Guesses) -> Iterator[Repair]:
    """The numbers of an assert that did not hold: one side becomes the other."""
    for operator, left, right in failure.comparisons:
        lefts = left if isinstance(left, tuple) else (left,)
        rights = right if isinstance(right, tuple) else (right,)
        if operator == "%":
            for factor in rights:
                yield from _multiples(call, failure, factor)
        elif operator in ("Eq", "NotEq", "Is", "IsNot") and len(lefts) == len(rights):
            for a, b in zip(lefts, rights):
                if a != b:
                    if max(a, b) <= 6 and ("dim" in failure.statement or "len" in failure.statement):
                        yield from _ranked(call, failure, guesses, b)
                        yield from _ranked(call, failure, guesses, a)
                    yield from _resized(call, failure, a, b, 0.2)
                    yield from _resized(call, failure, b, a, 0.4)
        elif operator in ("Gt", "GtE", "Lt", "LtE"):
            for a, b in zip(lefts, rights):
                for want in (b, b - 1, b + 1):
                    yield from _resized(call, failure, a, want, 0.4)
        elif operator in ("In", "NotIn"):
            for a in lefts:
                for want in rights:
                    if a <= 6 and want <= 6 and ("dim" in failure.statement or "len" in failure.statement):
                        yield from _ranked(call, failure, guesses, want)
                    else:
                        yield from _resized(call, failure, a, want, 0.3)


def _objects(call: Call, failure: Failure, guesses: Guesses, order: Tuple[str, ...]) -> Iterator[Repair]:
    """Where a tensor was not what was wanted: an object, a dict, a list, a function, a string, a number."""
    message = failure.message
    attribute = re.search(r"'Tensor' object has no attribute '(\w+)'", message)
    if attribute:
        for cost, name, _ in _blamed(call, failure):
            use = guesses.uses.get(name)
            names = use.attributes if use is not None and use.attributes else [attribute.group(1)]
            items = tuple(guesses._first(n) for n in names)
            yield 0.3 + cost, call.having(name, Group(items, "object", tuple(names)), order)
    extra = re.search(r"'types\.SimpleNamespace' object has no attribute '(\w+)'", message)
    extra = extra or re.search(r"'SimpleNamespace' object has no attribute '(\w+)'", message)
    key = re.match(r"^'(\w+)'$", message) if failure.kind == "KeyError" else None
    for name, argument in call.arguments:
        wanted = extra if isinstance(argument, Group) and argument.kind == "object" else key
        if isinstance(argument, Group) and argument.keys and wanted:
            grown = dataclasses.replace(
                argument,
                keys=(*argument.keys, wanted.group(1)),
                items=(*argument.items, guesses._first(wanted.group(1))),
            )
            yield 0.1, call.having(name, grown, order)
    if "'Tensor' object is not callable" in message:
        for cost, name, _ in _blamed(call, failure):
            yield 0.3 + cost, call.having(name, Text("torch.nn.Identity()"), order)
    if re.search(r"invalid data type 'str'|indices must be integers|string ind|too many indices", message):
        for cost, name, _ in _blamed(call, failure):
            use = guesses.uses.get(name)
            if use is not None and use.keys:
                items = tuple(guesses._first(k) for k in use.keys)
                yield 0.3 + cost, call.having(name, Group(items, "dict", tuple(use.keys)), order)
    if re.search(r"must be tuple of Tensors|expected .*(sequence|list|tuple).* of Tensor|not a Tensor|iterat", message):
        for cost, name, tensor in _blamed(call, failure):
            for kind in ("list", "tuple"):
                yield 0.5 + cost, call.having(name, Group((tensor, tensor), kind), order)
    if re.search(r"'(int|float|str|NoneType|bool)' object|must be Tensor, not|expected Tensor", message):
        for name, argument in call.arguments:
            if isinstance(argument, Text):
                for step, other in enumerate(c for c in guesses.of(name) if isinstance(c, Tensor)):
                    if step < 2:
                        yield 0.5 + 0.2 * step, call.having(name, other, order)


def _other_numbers(call: Call, failure: Failure) -> Iterator[Repair]:
    """Any number in the message against any size of the call: the last resort."""
    numbers = [int(n) for n in re.findall(r"(?<![\w.])\d{1,6}(?![\w.])", failure.message)][:8]
    sizes = {size for _, tensor in call.tensors() for size in tensor.shape}
    held = [n for n in dict.fromkeys(numbers) if n in sizes]
    wanted = [n for n in dict.fromkeys(numbers) if n > 0]
    for got in held:
        for want in wanted:
            if got != want:
                yield from ((cost + 0.4, changed) for cost, changed in _resized(call, failure, got, want, 0.4))


def first_calls(guesses: Guesses) -> Dict[str, List[Argument]]:
    """Candidates for the arguments of the first call: of each required parameter, else of the first optional one."""
    names = guesses.required or [n for n in guesses.optional if guesses.of(n)][:1]
    return {name: guesses.of(name) for name in names}


def varied(guesses: Guesses) -> Optional[List[Call]]:
    """Calls of something that takes `*args`: one to three tensors; None where it takes none."""
    if not any(p.kind is p.VAR_POSITIONAL for p in guesses.parameters.values()) or guesses.required:
        return None
    found: List[Call] = []
    for count in (1, 2, 3):
        for candidate in guesses.of("x")[:4]:
            found.append(Call(tuple((f"*{i}", candidate) for i in range(count))))
    return found
