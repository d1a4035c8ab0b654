"""How many classes of published packages run with inputs made up for them alone.

    python -m benchmarks.synthesis.fetch
    python -m benchmarks.synthesis.measure [--half develop] [--only WORD] [--seconds 20]

Each line of classes.tsv is probed in a process of its own: the file is loaded, inputs are synthesised without a hint,
and the expressions that come back are evaluated and called once more, on fresh objects.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import csv
import importlib
import json
import os
import pathlib
import platform
import resource
import select
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

from runtime_probe.job import describe
from runtime_probe.subject import ExpressionSubject, LoadedFile
from runtime_probe.synthesis import synthesise

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "capture-lsp-packages"
MOST_MEMORY = 12 << 30


def rows(half: str | None, only: str | None) -> list[dict[str, str]]:
    """The lines of classes.tsv that are asked for."""
    with open(HERE / "classes.tsv", encoding="utf-8") as lines:
        every = list(csv.DictReader(lines, delimiter="\t"))
    chosen = [row for row in every if half in (None, row["half"])]
    return [row for row in chosen if only is None or only in "{package} {module}:{target}".format(**row)]


def loaded(name: str, root: pathlib.Path) -> types.ModuleType:
    """The module; without its package's own imports where those need something that is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        top = name.split(".")[0]
        for imported in [m for m in sys.modules if m.split(".")[0] == top]:
            del sys.modules[imported]
        bare = types.ModuleType(top)
        bare.__path__ = [str(root / top)]
        sys.modules[top] = bare
        return importlib.import_module(name)


def prepare(root: pathlib.Path, cache: pathlib.Path, names: list[str]) -> None:
    """Import what the package's modules share, once."""
    sys.path[:0] = [str(root), str(cache / "dependencies")]
    for name in names:
        with contextlib.suppress(Exception):
            loaded(name, root)


def probe(row: dict[str, str], root: pathlib.Path, seconds: float) -> dict[str, Any]:
    """What became of one class: found or failed, with the expressions or the message."""
    try:
        module = loaded(row["module"], root)
    except Exception as error:
        return {"outcome": "not imported", "message": describe(error, 200)}
    file = LoadedFile.__new__(LoadedFile)
    file.path, file.settings, file.module = str(module.__file__), {}, module
    start = time.process_time()
    try:
        found = synthesise(file, row["target"], None, seconds)
    except Exception as error:
        used = round(time.process_time() - start, 1)
        if os.environ.get("SHOW_OUTPUT") and type(error).__name__ != "NoInputs":
            traceback.print_exc()
        return {"outcome": type(error).__name__, "message": describe(error, 400), "cpu": used}
    used = round(time.process_time() - start, 1)
    instance = ExpressionSubject(file, found.entry, found.inputs).fresh()
    called = instance.call(instance.function, 0)
    return {
        "outcome": "runs" if called.error is None else "does not run again",
        "message": called.text,
        "entry": found.entry,
        "inputs": found.inputs,
        "tries": found.tries,
        "note": found.note,
        "cpu": used,
    }


def in_child(work: Callable[[Callable[[Any], None]], None], patience: float) -> Iterator[Any]:
    """What `work` sends, from a forked process that is ended when it is silent for too long."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with contextlib.suppress(BaseException), open(writer, "w", encoding="utf-8") as out:
            work(lambda value: print(json.dumps(value), file=out, flush=True))
        os._exit(0)
    os.close(writer)
    text = b""
    while True:
        ready, _, _ = select.select([reader], [], [], patience)
        piece = os.read(reader, 1 << 16) if ready else b""
        *lines, text = (text + piece).split(b"\n")
        yield from map(json.loads, lines)
        if not piece:
            break
    os.close(reader)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def of_package(chosen: list[dict[str, str]], cache: pathlib.Path, seconds: float, patience: float) -> Iterator[Any]:
    """The rows of one package, each with what became of it."""
    root = cache / "{package}-{version}".format(**chosen[0])

    def each(send: Callable[[Any], None]) -> None:
        if not os.environ.get("SHOW_OUTPUT"):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
        prepare(root, cache, [row["module"] for row in chosen])
        for row in chosen:

            def one(back: Callable[[Any], None], row: dict[str, str] = row) -> None:
                resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
                back(probe(row, root, seconds))

            results = list(in_child(one, patience))
            send({**row, **(results[0] if results else {"outcome": "too slow or died", "message": ""})})

    return in_child(each, 10 * patience)


def main() -> None:
    """Measure, and print one line a class and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["develop", "blind"])
    parser.add_argument("--only")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--patience", type=float, default=150.0)
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE)
    parser.add_argument("--results", type=pathlib.Path, help="write what became of each class here, as JSON lines")
    options = parser.parse_args()
    torch.set_num_threads(1)
    totals: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    out = options.results.open("w", encoding="utf-8") if options.results else None
    chosen = rows(options.half, options.only)
    groups = [[r for r in chosen if r["package"] == name] for name in dict.fromkeys(r["package"] for r in chosen)]
    for row in (row for group in groups for row in of_package(group, options.cache, options.seconds, options.patience)):
        totals[row["package"]][row["outcome"]] += 1
        totals["all"][row["outcome"]] += 1
        shown = f"{row['entry']}  {row['inputs'][0]}" if "entry" in row else row["message"]
        print(f"{row['outcome']:14} {row['package']:24} {row['target']:34} {row.get('tries', ''):>4} "
              f"{row.get('cpu', 0):5.1f} s  {shown[:400]}", flush=True)  # fmt: skip
        if out:
            out.write(json.dumps(row) + "\n")
            out.flush()
    print(f"torch {torch.__version__}, Python {platform.python_version()}")
    for package, counts in totals.items():
        every = sum(counts.values())
        print(f"{package:24} {counts['runs']:3} of {every:3} run ({counts['runs'] / every:.0%})  {dict(counts)}")


if __name__ == "__main__":
    main()
