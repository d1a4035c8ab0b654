"""Which Triton a torch release requires, and since when Triton has what (`triton_since.tsv`)."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.knowledge.versions import Version, table_rows, version

_ROWS = tuple(table_rows("triton_since.tsv"))


def _of(kind: str) -> dict[str, Version]:
    return {name: version(since) for group, name, since in _ROWS if group == kind}


_TORCH: Mapping[str, Version] = _of("torch")
#: Names of `triton.language` that Triton 3.2 does not have → the first release that does.
NAMES: Mapping[str, Version] = _of("name")
#: Constructs that Triton 3.2 has no translation for → the first release that does.
SYNTAX: Mapping[str, Version] = _of("syntax")


def triton_of(torch: Version) -> Version | None:
    """The Triton that a torch release requires; None if that is not in the table."""
    return _TORCH.get(f"{torch[0]}.{torch[1]}")
