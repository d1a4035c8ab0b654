"""What differs between torch releases: ids of the graph-break registry, and what Dynamo learnt to capture."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

HERE = os.path.dirname(__file__)
Version = tuple[int, int]

#: The first release with a registry of graph breaks.
FIRST_REGISTRY: Version = (2, 8)
#: Releases whose `fullgraph=True` keeps scalars and data-dependent sizes (output_graph.py of 2.10.0: ShapeEnv gets
#: `allow_scalar_outputs=one_graph or …`; before, the settings alone decide, and their default is off).
FULLGRAPH_KEEPS_SCALARS: Version = (2, 10)
#: Releases whose torch.export.export has `strict=False` as default (export/__init__.py of 2.7.1 and 2.8.0).
EXPORT_NOT_STRICT: Version = (2, 8)
#: Releases whose `torch.compiler.disable` takes `reason=` (compiler/__init__.py of 2.7.1 and 2.8.0).
DISABLE_TAKES_REASON: Version = (2, 8)
#: Releases whose torch.onnx.export has `dynamo=True` as default (onnx/__init__.py of 2.8.0, 2.9.1); before, it traces.
ONNX_WITH_EXPORT: Version = (2, 9)


@dataclass(frozen=True, slots=True)
class Change:
    """Something that Dynamo captures from a release on; before, `before` became of it (or `captured`: since then it
    breaks)."""

    form: str
    name: str
    since: Version
    when: str
    before: str
    graph_break: str
    source: str


def version(text: str) -> Version:
    """`2.8` as a pair. Raises ValueError for anything else."""
    major, minor = text.split(".")
    return int(major), int(minor)


def table_rows(file: str) -> Iterator[list[str]]:
    """The cells of a table's rows, below its header."""
    with open(os.path.join(HERE, file), encoding="utf-8") as stream:
        lines = (line.rstrip("\n").split("\t") for line in stream if not line.startswith("#"))
        next(lines)
        yield from lines


@lru_cache(maxsize=1)
def _registry() -> Mapping[str, tuple[Version, Version | None]]:
    return {
        gb: (version(since), version(last) if last else None) for gb, since, last in table_rows("graph_break_since.tsv")
    }


def first_release(gb: str) -> Version | None:
    """The first release whose registry has an id; None for what is no id."""
    span = _registry().get(gb)
    return span[0] if span is not None else None


def known_ids(ids: Sequence[str], torch: Version) -> tuple[str, ...]:
    """Those of the ids that the registry of a release has; releases before 2.8 have no registry."""
    registry = _registry()
    return tuple(
        gb
        for gb in ids
        if (span := registry.get(gb)) is not None and span[0] <= torch and (span[1] is None or torch <= span[1])
    )


@lru_cache(maxsize=1)
def changes() -> Mapping[tuple[str, str], Change]:
    """All changes by form and name."""
    found = {}
    for form, name, since, when, before, graph_break, source in table_rows("traced_since.tsv"):
        found[form, name] = Change(form, name, version(since), when, before, graph_break, source)
    return found


#: The release whose behaviour the rules and the other tables tell: what it captures, no rule of theirs reports.
MEASURED: Version = (2, 13)


@lru_cache(maxsize=16)
def captured_calls(torch: Version) -> frozenset[str]:
    """The calls that were measured as breaks and that a release captures: a newer one, or one from before the break."""
    calls = [c for c in changes().values() if c.form == "call"]
    learnt = {c.name for c in calls if c.before != "captured" and MEASURED < c.since <= torch}
    return frozenset(learnt | {c.name for c in calls if c.before == "captured" and torch < c.since})


def captured_by_now(name: str, torch: Version) -> bool:
    """Whether a call that was measured as a break is captured by a release."""
    return torch != MEASURED and name in captured_calls(torch)


@lru_cache(maxsize=16)
def not_yet(torch: Version) -> Mapping[tuple[str, str], Change]:
    """What the measured release captures and an older one does not."""
    return {k: c for k, c in changes().items() if torch < c.since <= MEASURED and c.before != "captured"}
