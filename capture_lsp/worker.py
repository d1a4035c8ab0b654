"""A worker process: analyses groups of files that it is told of on standard input, one JSON line each.

It is started with the import path of its parent, never with the working directory on it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from analyzer.api import Options
from capture_lsp.analysis import Task, analyse
from capture_lsp.results import error_to_json, finding_to_json


def main() -> None:
    """Answer requests until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may write between the answers
    for line in sys.stdin:
        request = json.loads(line)
        task = task_from_json(request["task"])

        def progress(path: str) -> None:
            out.write(json.dumps({"progress": path}) + "\n")
            out.flush()

        results = analyse(request["files"], task, None, progress)
        answer = [
            {
                "path": r.path,
                "findings": [finding_to_json(f) for f in r.findings],
                "errors": [error_to_json(e) for e in r.errors],
                "cells": [[c.index, c.first, c.count] for c in r.cells],
                "dependencies": r.dependencies,
            }
            for r in results
        ]
        out.write(json.dumps({"results": answer}) + "\n")
        out.flush()


def task_to_json(task: Task) -> dict[str, Any]:
    options = {name: getattr(task.options, name) for name in Options.__dataclass_fields__}
    return {"options": options, "unused": task.unused_suppressions, "max": task.max_file_size}


def task_from_json(value: dict[str, Any]) -> Task:
    options: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in value["options"].items()}
    return Task(Options(**options), value["unused"], value["max"])
