"""What a test allows, and what of a probe's entry is more than that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from capture_lsp.formats.style import counted
from capture_lsp.paths import display

if TYPE_CHECKING:
    from runtime_probe.report import Entry


@dataclass(frozen=True)
class Limits:
    """`fullgraph`: no graph break and no function that runs eagerly as a whole; `max_graphs`: graphs, those of
    recompilations aside; `max_recompiles`: recompilations. None: any number."""

    fullgraph: bool = False
    max_graphs: int | None = None
    max_recompiles: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Limits:
        """From keyword arguments. Raises ValueError."""
        known = {field.name for field in fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"unknown argument {name!r} (there are {', '.join(sorted(known))})")
            if name == "fullgraph" and not isinstance(value, bool):
                raise ValueError(f"fullgraph is True or False, not {value!r}")
            if name != "fullgraph" and not (value is None or (type(value) is int and value >= 0)):
                raise ValueError(f"{name} is a number or None, not {value!r}")
        return cls(**given)


@dataclass(frozen=True)
class Exceeded:
    """`breaks`: whether it is about breaks; `text`: one line."""

    text: str
    breaks: bool = False


def graphs_of(entry: Entry) -> int:
    """The graphs of first compilations."""
    first = [frame for frame in entry["frames"] if (frame["compile_id"] or "").partition("/")[2] in ("", "0")]
    return sum(len(frame["graphs"]) for frame in first)


def exceeded(entry: Entry, limits: Limits, cwd: str) -> list[Exceeded]:
    """What is more than allowed."""
    found = []
    broken = sum(len(frame["breaks"]) for frame in entry["frames"])
    eager = [frame for frame in entry["frames"] if frame["skipped"]]
    if limits.fullgraph and (broken or eager):
        names = ", ".join(dict.fromkeys(frame["function"] for frame in eager))
        text = "not captured whole (fullgraph=True)" + (f": {names} runs eagerly" if eager else "")
        found.append(Exceeded(text, breaks=True))
    graphs = graphs_of(entry)
    if limits.max_graphs is not None and graphs > limits.max_graphs:
        found.append(Exceeded(f"{counted(graphs, 'graph')} (max_graphs={limits.max_graphs})", breaks=broken > 0))
    recompiles = entry["recompiles"]
    if limits.max_recompiles is not None and len(recompiles) > limits.max_recompiles:
        found.append(Exceeded(f"{counted(len(recompiles), 'recompilation')} (max_recompiles={limits.max_recompiles})"))
        found += [
            Exceeded(
                f"  {display(one['path'], cwd)}:{one['line']}: {one['function']} was compiled again: {one['guard']}"
            )
            for one in recompiles
        ]
    return found
