"""The surface of `triton.language`, read from `triton_language.tsv`."""

from __future__ import annotations

from pathlib import Path


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
#: Attributes of a tensor inside a kernel.
TENSOR: frozenset[str] = frozenset(name for group, name, _ in _ROWS if group == "tensor")
