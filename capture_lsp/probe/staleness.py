"""Whether what a probe said still holds: it does as long as no function that it traced has changed.

A function is its syntax tree: comments, blank lines and where it stands in its file do not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capture_lsp.probe.functions import Function, dumped, functions_of, innermost

if TYPE_CHECKING:
    from runtime_probe.report import Traced

#: The text of a file, None if it cannot be read.
TextOf = Callable[[str], "str | None"]


@dataclass(frozen=True)
class Stamp:
    """A function as it was when it was probed. `number`: which of those of this name in the file."""

    path: str
    name: str
    number: int
    hash: str


def stamps(traced: Iterable[Traced], text_of: TextOf) -> tuple[Stamp, ...]:
    """The functions that a probe traced, as they are now. Lambdas count with the function around them."""
    known: dict[str, list[Function] | None] = {}
    found: dict[Stamp, None] = {}
    for one in traced:
        functions = _functions(one["path"], text_of, known)
        function = innermost(functions, one["line"]) if functions else None
        if functions and function is not None:
            same = [f for f in functions if f.name == function.name]
            found[Stamp(one["path"], function.name, same.index(function), _hash(function))] = None
    return tuple(found)


def changed(probed: Iterable[Stamp], text_of: TextOf) -> list[Stamp]:
    """Those that are no longer what they were, or are gone. A text that does not parse right now tells nothing."""
    known: dict[str, list[Function] | None] = {}
    found = []
    for stamp in probed:
        functions = _functions(stamp.path, text_of, known)
        if functions is None:
            continue
        same = [f for f in functions if f.name == stamp.name]
        if stamp.number >= len(same) or _hash(same[stamp.number]) != stamp.hash:
            found.append(stamp)
    return found


def _functions(path: str, text_of: TextOf, known: dict[str, list[Function] | None]) -> list[Function] | None:
    if path not in known:
        text = text_of(path)
        known[path] = [] if text is None else functions_of(text)
    return known[path]


def _hash(function: Function) -> str:
    return hashlib.blake2b(dumped(function.node).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
