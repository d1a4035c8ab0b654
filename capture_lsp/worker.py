"""A worker process: analyses groups of files that it is told of on standard input, one JSON line each.

It is started with the import path of its parent, never with the working directory on it.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from typing import Any

from analyzer.api import Options, Session, Surroundings
from capture_lsp.analysis import Task, analyse


def main() -> None:
    """Answer requests until standard input ends; the first line is the task that all of them share."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may write between the answers

    def send(answer: dict[str, Any]) -> None:
        out.write(json.dumps(answer) + "\n")
        out.flush()

    task = task_from_json(json.loads(sys.stdin.readline()))
    gc.disable()  # what is known of shared files lives as long as the worker
    session = Session()
    for line in sys.stdin:
        units = analyse(json.loads(line), task, None, lambda path: send({"progress": path}), session)
        send({"units": [unit.to_json() for unit in units]})


def task_to_json(task: Task) -> dict[str, Any]:
    return {
        "options": {name: getattr(task.options, name) for name in Options.__dataclass_fields__},
        "checked": sorted(task.around.checked),
        "capturing": task.around.capturing,
        "max": task.max_file_size,
    }


def task_from_json(value: dict[str, Any]) -> Task:
    options: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in value["options"].items()}
    around = Surroundings(frozenset(value["checked"]), tuple(value["capturing"]))
    return Task(Options(**options), around, value["max"])
