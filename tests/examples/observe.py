"""Run a program as `__main__` and print, as JSON, where the real capture systems broke, recompiled or warned.

    python tests/examples/observe.py PROGRAM ROOT

It listens to PyTorch's own structured trace (what TORCH_TRACE writes), so it sees the breaks of skipped frames too.
The program's output goes to standard error.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import runpy
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

FRAME = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)
ID = re.compile(r"gb(\d+)\.html")
GUARD = re.compile(r"# \S*examples/(\S+\.py):(\d+) in ")
FRAME_SKIPPED = "GB7000"


class Listener(logging.Handler):
    """Collects the break and recompile records of the structured trace."""

    def __init__(self, root: Path) -> None:
        super().__init__(logging.DEBUG)
        self.root = f"{root}/"
        self.breaks: list[dict[str, object]] = []
        self.recompiles: list[tuple[str, int]] = []
        self.limits: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        metadata = getattr(record, "metadata", None) or {}
        payload = str(getattr(record, "payload", ""))
        name = metadata.get("artifact", {}).get("name")
        if name == "dynamo_graph_break_reason":
            self.breaks.append(self.break_of(payload))
        elif name == "recompile_reasons":
            # The most recent cache entry comes first: it is the one that would have been used again.
            entries = json.loads(payload) if payload.startswith("[") else [payload]
            self.recompiles += [(path, int(line)) for path, line in GUARD.findall(str(entries[0]))[:1]]
        metrics = metadata.get("compilation_metrics")
        if metrics and "recompile limit" in str(metrics.get("fail_reason")):
            self.limits.append(f"{metrics.get('co_filename')}:{metrics.get('co_firstlineno')}")

    def break_of(self, payload: str) -> dict[str, object]:
        """The innermost line of the program itself; a break inside a library belongs to the line that called it."""
        heading, _, rest = payload.partition("User code traceback:")
        frames = FRAME.findall(rest.partition("\nTraceback (most recent call last)")[0])
        own = [(path, int(line)) for path, line in frames if path.startswith(self.root)]
        path, line = own[-1] if own else ("", 0)
        ids = list(dict.fromkeys(f"GB{number}" for number in ID.findall(payload)))
        return {
            "path": path.removeprefix(self.root),
            "line": line,
            "outcome": "skipped_frame" if FRAME_SKIPPED in ids else "graph_break",
            "graph_breaks": [i for i in ids if i != FRAME_SKIPPED],
            "reason": " ".join(heading.split())[:300],
        }


def observe(program: Path, root: Path) -> dict[str, object]:
    """Breaks, recompiles and tracer warnings of one run of `program`, in files under `root`."""
    import torch
    import torch._logging._internal as internal

    listener = Listener(root)
    internal.trace_log.addHandler(listener)
    internal.trace_log.setLevel(logging.DEBUG)
    internal.trace_log.propagate = False
    refusals: list[dict[str, object]] = []
    export = torch.export.export

    def recorded_export(*args: Any, **kwargs: Any) -> Any:
        try:
            return export(*args, **kwargs)
        except Exception as error:
            own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(listener.root)]
            place = own[-1] if own else None
            refusals.append(
                {
                    "path": place.filename.removeprefix(listener.root) if place else "",
                    "line": place.lineno if place else 0,
                    "outcome": "refused",
                    "reason": str(error)[:300],
                }
            )
            raise

    torch.export.export = recorded_export
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(sys.stderr):
        warnings.simplefilter("always")
        sys.argv = [str(program)]
        runpy.run_path(str(program), run_name="__main__")
    return {
        "breaks": listener.breaks,
        "recompiles": listener.recompiles,
        "limits": listener.limits,
        "export_refusals": refusals,
        "tracer_warnings": sorted(
            {
                (w.filename.removeprefix(listener.root), w.lineno)
                for w in caught
                if w.category.__name__ == "TracerWarning" and w.filename.startswith(listener.root)
            }
        ),
    }


if __name__ == "__main__":
    print(json.dumps(observe(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()), indent=1))
