"""Does a long session keep the server's memory flat? Thousands of edits over a set of open files.

    python benchmarks/lsp_soak.py [FILE ...] [--edits 10000] [--seed 1] [--output FILE.json]

The files (by default four of `examples/`) are copied into a folder of their own and are all open. Bursts of a person's
edits (see `lsp_typing`) go to one after the other; at each burst's end the diagnostics are waited for, so most versions
are skipped, as in an editor. Every 500 edits the memory of the server's process tree is read. Now and then a file is
closed and opened again. The first tenth is left out of the judgement: memory still grows to what the session needs.
The run fails if the rest of it grows by more than 1 MiB in 1,000 edits, or if a process is left at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shlex
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lsp_client import LspError, Server
from lsp_latency import environment, press
from lsp_processes import KNOWN, alive, cpu_seconds, resident, tree
from lsp_typing import Typist

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
FILES = ("gated_scorer.py", "moe_router.py", "gpt_sampling.py", "triton_softmax.py")
EVERY = 500  #: edits between two readings
WARMING = 0.1  #: the part of a session that is not judged
SLOPE = 1.0  #: MiB in 1,000 edits
LEAST = 4  #: readings that a slope is made of
REOPENED = 0.02  #: of the bursts
CADENCE = 0.001  #: s between keys
LONGEST = 1.25  #: times its length on disk; a file that has grown beyond that is opened anew
KEYS = 40  #: edits before the next file's turn


@dataclass
class Open:
    """One open file, and the typist that edits it."""

    path: Path
    typist: Typist
    version: int = 1

    @property
    def uri(self) -> str:
        return self.path.as_uri()


@dataclass(frozen=True)
class Reading:
    """The server after so many edits."""

    edits: int
    mebibytes: float
    cpu: float  #: s so far
    processes: int
    text: float  #: KiB of text that is open


def read(server: Server, edits: int, files: Sequence[Open]) -> Reading:
    memory, cpu = (resident(server.pid) or 0) / 2**20, cpu_seconds(server.pid) or 0.0
    return Reading(edits, memory, cpu, len(tree(server.pid)), sum(len(file.typist.text) for file in files) / 1024)


def slope(readings: Sequence[Reading]) -> float:
    """MiB in 1,000 edits: a line through the readings after the warming."""
    judged = [r for r in readings if r.edits >= WARMING * readings[-1].edits]
    if len(judged) < LEAST:
        sys.exit(f"too few edits to judge: {len(judged)} readings after the warming, {LEAST} needed")
    return 1000 * statistics.linear_regression([r.edits for r in judged], [r.mebibytes for r in judged]).slope


def copies(files: Sequence[Path], folder: Path, seed: int) -> list[Open]:
    found = []
    for number, file in enumerate(files):
        target = folder / file.name
        shutil.copyfile(file, target)
        found.append(Open(target, Typist(target.read_text(encoding="utf-8"), seed + number)))
    return found


async def reopen(server: Server, file: Open, seed: int) -> None:
    """Close a file without saving it, and open it as it is on disk."""
    server.notify("textDocument/didClose", {"textDocument": {"uri": file.uri}})
    file.typist = Typist(file.path.read_text(encoding="utf-8"), seed)
    file.version += 1
    server.open(file.uri, file.typist.text, file.version)
    await server.diagnosed(file.uri, file.version)


async def soak(server: Server, files: Sequence[Open], edits: int, seed: int) -> list[Reading]:
    pick = random.Random(seed)
    await server.start()
    for file in files:
        server.open(file.uri, file.typist.text)
    for file in files:
        await server.diagnosed(file.uri, 1)
    readings = [read(server, 0, files)]
    print(f"{'edits':>7} {'MiB':>8} {'CPU s':>8} {'processes':>10} {'KiB open':>9}")
    done = 0
    while done < edits:
        file = pick.choice(files)
        for burst in file.typist.bursts(KEYS):
            await press(server, file.uri, file.version + 1, burst, CADENCE)
            file.version += len(burst.keys)
            done += len(burst.keys)
            if done // EVERY > readings[-1].edits // EVERY:
                readings.append(read(server, done, files))
                last = readings[-1]
                row = f"{last.edits:>7} {last.mebibytes:>8.1f} {last.cpu:>8.1f} {last.processes:>10} {last.text:>9.1f}"
                print(row, flush=True)
        if pick.random() < REOPENED or len(file.typist.text) > LONGEST * file.path.stat().st_size:
            await reopen(server, file, pick.randrange(1 << 30))
    return readings


async def run(options: argparse.Namespace) -> tuple[list[Reading], int, list[int]]:
    """The readings, the exit status, and the processes that are left."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root).resolve() / "project"
        folder.mkdir()
        files = copies(options.files or [EXAMPLES / name for name in FILES], folder, options.seed)
        log = Path(root) / "server.log"
        server = Server("capture-lsp", shlex.split(options.command), folder, environment(), log)
        try:
            readings = await soak(server, files, options.edits, options.seed)
            started = tree(server.pid)
            status = await server.stop()
        finally:
            await server.kill()
        told = log.read_text(encoding="utf-8", errors="replace")
        if "Traceback" in told:
            sys.exit(f"the server's log has a traceback: {told[-3000:]}")
        return readings, status, [pid for pid in started if alive(pid)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=f"{sys.executable} -m capture_lsp server")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if not KNOWN:
        sys.exit("memory is read from /proc, which this system does not have")
    try:
        readings, status, left = asyncio.run(run(options))
    except LspError as error:
        sys.exit(str(error))
    growth = slope(readings)
    flat = growth <= SLOPE
    print(f"memory {'stays flat' if flat else 'grows'}: {growth:+.2f} MiB in 1,000 edits (limit {SLOPE:g})")
    print(f"exit status {status}, processes left: {len(left)}")
    if options.output:
        found = {"slope": growth, "status": status, "left": len(left), "readings": [vars(r) for r in readings]}
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    sys.exit(not flat or status != 0 or bool(left))


if __name__ == "__main__":
    main()
