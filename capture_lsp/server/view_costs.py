"""What was measured of a probed function, and its kernels, as data for a client's own view."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from capture_lsp.formats.probe.cost_words import file_of
from capture_lsp.probe.line_numbers import parsed, written
from capture_lsp.server import view_types as view
from capture_lsp.server.probed_places import Places
from capture_lsp.server.shown_cost import in_an_editor

if TYPE_CHECKING:
    from runtime_probe.report import Entry, GraphCost, Kernel, Location, Setting, Timing, Without


class Measured(TypedDict):
    """The fields of `view_types.Entry` that are measured or generated."""

    timing: view.Timing | None
    settings: list[view.Setting] | None
    kernels: list[view.Kernel] | None
    graph_costs: list[view.GraphCost] | None
    cudagraphs: list[view.Skip] | None
    kernel_errors: list[view.KernelError] | None


def measured(entry: Entry, places: Places) -> Measured:
    """Those of an entry, with places as they are now."""
    timing, settings, kernels = entry["timing"], entry["settings"], entry["kernels"]
    costs, skips = entry["graph_costs"], entry["cudagraphs"]
    return {
        "timing": _timing(timing, file_of(entry), places) if timing is not None else None,
        "settings": [_setting(one) for one in settings] if settings is not None else None,
        "kernels": [_kernel(one, places) for one in kernels] if kernels is not None else None,
        "graph_costs": [_graph_cost(one) for one in costs] if costs is not None else None,
        "cudagraphs": [
            {
                "graph": one["graph"],
                "reason": one["reason"],
                "subject": one["subject"],
                "at": places.line(one["path"], one["line"]),
                "predicted": one["predicted"],
            }
            for one in skips
        ]
        if skips is not None
        else None,
        "kernel_errors": [
            {"at": places.line(one["path"], one["line"]), "message": one["message"]} for one in entry["kernel_errors"]
        ]
        if kernels is not None
        else None,
    }


def lines_now(lines: dict[str, str], places: Places) -> str:
    """`model.py:12-18,20`, as the lines are numbered now; as they were, where some are gone."""
    return ", ".join(f"{os.path.basename(path)}:{_now(path, text, places)}" for path, text in lines.items())


def _now(path: str, lines: str, places: Places) -> str:
    file = places.file(path)
    found = [file.now(line) for line in parsed(lines)] if file is not None else []
    known = [line for line in found if line is not None]
    return written(known) if known and len(known) == len(found) else lines


def _timing(timing: Timing, path: str, places: Places) -> view.Timing:
    return {
        "eager_ms": timing["eager_ms"],
        "compiled_ms": timing["compiled_ms"],
        "ratio": timing["ratio"],
        "low": timing["low"],
        "high": timing["high"],
        "verdict": timing["verdict"],
        "clock": timing["clock"],
        "eager_cpu_ms": timing["eager_cpu_ms"],
        "compiled_cpu_ms": timing["compiled_cpu_ms"],
        "rounds": timing["rounds"],
        "processes": timing["processes"],
        "cold_s": timing["cold_s"],
        "break_even_calls": timing["break_even_calls"],
        "guards_us": timing["guards_us"],
        "threads": timing["threads"],
        "message": in_an_editor(timing["message"]),
        "without": [_without(one, path, places) for one in timing["without"]],
    }


def _without(one: Without, path: str, places: Places) -> view.Without:
    return {
        "breaks": [_break(found, path, places) for found in one["breaks"]],
        "how": one["how"],
        "ratio": one["ratio"],
        "low": one["low"],
        "high": one["high"],
        "verdict": one["verdict"],
        "gain": one["gain"],
        "gain_low": one["gain_low"],
        "gain_high": one["gain_high"],
        "message": in_an_editor(one["message"]),
    }


def _break(found: Location, path: str, places: Places) -> view.MeasuredBreak:
    line = _now(found["path"], str(found["line"]), places)
    other = "" if found["path"] == path else f"{os.path.basename(found['path'])}:"
    return {"at": places.line(found["path"], found["line"]), "line": f"{other}{line}"}


def _setting(one: Setting) -> view.Setting:
    return {
        "arguments": one["arguments"],
        "ratio": one["ratio"],
        "low": one["low"],
        "high": one["high"],
        "verdict": one["verdict"],
        "cold_s": one["cold_s"],
        "message": one["message"],
    }


def _kernel(one: Kernel, places: Places) -> view.Kernel:
    return {
        "graph": one["graph"],
        "name": one["name"],
        "language": one["language"],
        "source": one["source"],
        "lines": lines_now(one["lines"], places),
        "nodes": list(one["nodes"]),
        "launches": one["launches"],
        "bytes": one["bytes"],
        "flops": one["flops"],
        "eager_launches": one["eager_launches"],
        "eager_bytes": one["eager_bytes"],
        "not_fused_because": [{"with": why["with"], "why": why["why"]} for why in one["not_fused_because"]],
        "predicted_us": one["predicted_us"],
        "measured_us": one["measured_us"],
        "target": one["target"],
        "ptx": one["ptx"],
        "registers": one["registers"],
        "spills": one["spills"],
        "backward": one["backward"],
    }


def _graph_cost(one: GraphCost) -> view.GraphCost:
    unmapped: Sequence[view.Unmapped] = [{"node": node["node"], "why": node["why"]} for node in one["unmapped"]]
    return {
        "graph": one["graph"],
        "eager_launches": one["eager_launches"],
        "fused_launches": one["fused_launches"],
        "eager_bytes": one["eager_bytes"],
        "fused_bytes": one["fused_bytes"],
        "flops": one["flops"],
        "predicted_ratio": one["predicted_ratio"],
        "target": one["target"],
        "unmapped": list(unmapped),
    }
