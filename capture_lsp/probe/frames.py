"""The frames of an entry and the graphs in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Frame, Graph


def operations(graph: Graph) -> int:
    """How many nodes compute something."""
    return sum(node["op"] not in ("placeholder", "output") for node in graph["nodes"])


def first_frames(entry: Entry) -> list[Frame]:
    """Each function's first compilation; later ones say what is in `recompiles`."""
    found: dict[tuple[str, int, str, str], Frame] = {}
    for frame in entry["frames"]:
        # Rests of a function behind several breaks of one line have one name: Dynamo's number of the frame, in `3/0`
        # before the slash, tells them apart.
        number = (frame["compile_id"] or "").rpartition("/")[0]
        found.setdefault((frame["path"], frame["line"], frame["function"], number), frame)
    return list(found.values())


def later_frames(entry: Entry) -> list[Frame]:
    """The compilations that `first_frames` leaves out."""
    first = {id(frame) for frame in first_frames(entry)}
    return [frame for frame in entry["frames"] if id(frame) not in first]
