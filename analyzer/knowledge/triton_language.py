"""The surface of `triton.language`, read from `triton_language.tsv`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Signature:
    """Positional names, those of them with a default, keyword-only names; `many`: has *args; `any_keyword`."""

    names: tuple[str, ...]
    optional: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    many: bool = False
    any_keyword: bool = False


def _signature(text: str) -> Signature:
    """`a b= * c` as written in the table: `=` marks a default, after `*` come keyword-only names, `*x` takes many."""
    names: list[str] = []
    optional: set[str] = set()
    keywords: set[str] = set()
    many = after = False
    for part in text.split():
        if part.startswith("*"):
            many, after = many or len(part) > 1, True
        elif after:
            keywords.add(part.rstrip("="))
        else:
            names.append(part.rstrip("="))
            if part.endswith("="):
                optional.add(part.rstrip("="))
    return Signature(tuple(names), frozenset(optional), frozenset(keywords), many)


def _rows() -> list[tuple[str, str, str]]:
    text = Path(__file__).with_name("triton_language.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(group, name, detail) for group, name, detail in rows]


_ROWS = _rows()

#: Element types: the name in `triton.language` → Triton's short name.
DTYPES: dict[str, str] = {name: detail for group, name, detail in _ROWS if group == "dtype"}
#: Everything that `triton.language` has or had, element types excepted.
LANGUAGE: frozenset[str] = frozenset(name for group, name, _ in _ROWS if group in ("language", "former"))
#: What the result of a function looks like: same, broadcast, reduction, atomic, own.
ROLES: dict[str, str] = {name: detail for group, name, detail in _ROWS if group == "language" and detail != "-"}
#: NumPy and torch names that people write after `tl.` and that were never there.
ELSEWHERE: frozenset[str] = frozenset(name for group, name, _ in _ROWS if group == "elsewhere")
#: The arguments of functions whose arguments have been the same in all versions from 3.0 on.
SIGNATURES: dict[str, Signature] = {name: _signature(detail) for group, name, detail in _ROWS if group == "signature"}
#: Attributes of a tensor inside a kernel.
TENSOR: frozenset[str] = frozenset(name for group, name, _ in _ROWS if group == "tensor")
