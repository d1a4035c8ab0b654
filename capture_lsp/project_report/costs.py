"""What was measured of an entry, and its kernels, as the page's data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from capture_lsp.formats.probe import cost_words, kernel_words
from capture_lsp.project_report import data
from capture_lsp.project_report.sources import Sources

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Kernel, Setting, Timing, Without

#: More kernels of an entry come without their source.
MOST_SOURCES = 60


def timing(entry: Entry, sources: Sources) -> data.Timing | None:
    """None where nothing was measured."""
    found, settings = entry["timing"], entry["settings"] or []
    if found is None and not settings:
        return None
    variants = [*(_variants(found, cost_words.file_of(entry), sources) if found is not None else ())]
    return {
        "facts": [*cost_words.call(found), *cost_words.pays_off(found)] if found is not None else [],
        "how": cost_words.how_measured(found) if found is not None and found["rounds"] else "",
        "message": sources.steady(found["message"]) if found is not None else "",
        "variants": [*variants, *(_setting(one) for one in settings if one["arguments"])],
    }


def _variants(found: Timing, path: str, sources: Sources) -> list[data.Variant]:
    as_it_is: data.Variant = {
        "label": "as it is",
        "words": cost_words.speedup(found),
        "how": "",
        "ratio": found["ratio"],
        "low": found["low"],
        "high": found["high"],
        "message": "",
    }
    return [as_it_is, *(_without(found, one, path, sources) for one in found["without"])]


def _without(found: Timing, one: Without, path: str, sources: Sources) -> data.Variant:
    return {
        "label": cost_words.without(one, path),
        "words": cost_words.change(found, one),
        "how": cost_words.how(one),
        "ratio": one["ratio"],
        "low": one["low"],
        "high": one["high"],
        "message": sources.steady(one["message"]),
    }


def _setting(one: Setting) -> data.Variant:
    return {
        "label": one["arguments"],
        "words": cost_words.speedup(one),
        "how": "",
        "ratio": one["ratio"],
        "low": one["low"],
        "high": one["high"],
        "message": one["message"],
    }


def fused(entry: Entry) -> list[data.Fused]:
    """What the compiler made of each graph."""
    return [{"graph": one["graph"], "words": kernel_words.of_graph(one)} for one in entry["graph_costs"] or ()]


def kernels(entry: Entry, sources: Sources) -> list[data.Kernel]:
    """In the order of the report."""
    return [_kernel(one, number < MOST_SOURCES, sources) for number, one in enumerate(entry["kernels"] or ())]


def _kernel(one: Kernel, with_source: bool, sources: Sources) -> data.Kernel:
    return {
        "graph": one["graph"],
        "name": one["name"],
        "language": kernel_words.language(one),
        "lines": lines(one["lines"], sources),
        "launches": one["launches"],
        "eager_launches": one["eager_launches"],
        "moved": kernel_words.scaled(one["bytes"], "B"),
        "bytes": one["bytes"],
        "operations": kernel_words.scaled(one["flops"], "FLOP") if one["flops"] else "",
        "flops": one["flops"],
        "time": kernel_words.time_of(one),
        "compiled": kernel_words.made(one),
        "not_fused": "; ".join(f"with {why['with'] or 'others'}: {why['why']}" for why in one["not_fused_because"]),
        "backward": one["backward"],
        "source": sources.steady(one["source"]) if with_source else "",
    }


def cudagraphs(entry: Entry, sources: Sources) -> list[data.Remark]:
    """Why CUDA graphs would not be used."""
    return [
        {
            "at": sources.place_or_none(one["path"], one["line"]),
            "text": f"graph {one['graph']}: {kernel_words.skip(one)}",
        }
        for one in entry["cudagraphs"] or ()
    ]


def kernel_errors(entry: Entry, sources: Sources) -> list[data.Remark]:
    """What is wrong with the program's own Triton kernels."""
    return [
        {"at": sources.place_or_none(one["path"], one["line"]), "text": sources.steady(one["message"])}
        for one in entry["kernel_errors"]
    ]


def lines(found: Mapping[str, str], sources: Sources) -> str:
    """`model.py:12-18,20, helpers.py:3`, by the files' last names; what is not the project's is left out where it has
    lines of its own."""
    own = {path: rows for path, rows in found.items() if sources.checked(path) is not None} or found
    return ", ".join(f"{sources.name(path).rpartition('/')[2]}:{rows}" for path, rows in own.items())
