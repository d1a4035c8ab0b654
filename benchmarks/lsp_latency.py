"""From a keystroke to its diagnostics on the wire: capture-lsp beside ruff's server and pylsp, on the same edits.

    python benchmarks/lsp_latency.py [FILE ...] [--edits 150] [--seed 1] [--pause 0 60] [--output FILE.json]

Each server has one file open, at its place in its library. A person's edits (see `lsp_typing`) go to all servers, burst
by burst in turn. With a pause of 0 the next key is pressed when the diagnostics of the last one are there; every key
is measured. With another (ms), keys come at that pace, a server may skip versions, and what is measured is the way from
a burst's last key to its diagnostics. CPU time is that of the server's whole process tree over all edits, by edit; it
is left out where there is no /proc. All servers push: the client offers them no pulling.

pylsp waits for half a second without a key before it looks at a text at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from check_libraries import CACHE, LIBRARIES, install
from lsp_client import LspError, Server
from lsp_processes import cpu_seconds
from lsp_typing import Burst, Typist

FILES = (
    ("transformers", "clip/modeling_clip.py"),
    ("timm", "models/hiera.py"),
    ("transformers", "speecht5/modeling_speecht5.py"),
)
#: ms that half and 95 in 100 of the keys may take, in a file of at most so many lines.
TARGETS = ((1500, 30.0, 100.0), (3500, None, 200.0))
REST = 0.5  #: s that a server has at the end for what it does after it has sent its diagnostics
OWN = "capture-lsp"


@dataclass
class Measured:
    """What one server did with one file's edits. Times in ms."""

    server: str
    file: str
    lines: int
    pause: float
    edits: int = 0
    published: int = 0  #: how often diagnostics came
    diagnostics: int = 0  #: of the file as it was opened
    opened: float = 0.0  #: from the start of the process to these
    wall: list[float] = field(default_factory=list)
    cpu: float | None = None  #: by edit

    def quantile(self, part: float) -> float:
        ordered = sorted(self.wall)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]

    def to_json(self) -> dict[str, Any]:
        summary = {"p50": self.quantile(0.5), "p95": self.quantile(0.95), "max": max(self.wall)}
        return {**asdict(self), **summary, "wall": [round(value, 3) for value in self.wall]}


async def press(server: Server, uri: str, version: int, burst: Burst, pause: float) -> list[float]:
    """Type a burst; the seconds that diagnostics took: of each key, or with a pause of the last one."""
    took = []
    loop = asyncio.get_running_loop()
    due = loop.time()
    for number, key in enumerate(burst.keys):
        sent = server.change(uri, version + number, key)
        if not pause:
            took.append(await server.diagnosed(uri, version + number) - sent)
        elif number + 1 < len(burst.keys):
            due += pause
            await asyncio.sleep(max(0.0, due - loop.time()))
    if pause:
        took.append(await server.diagnosed(uri, version + len(burst.keys) - 1) - sent)
    return took


async def opened(server: Server, uri: str, text: str) -> float:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await server.start()
    server.open(uri, text)
    await server.diagnosed(uri, 1)
    return loop.time() - begun


async def measure(
    servers: Sequence[Server], file: Path, name: str, edits: int, seed: int, pause: float
) -> list[Measured]:
    """One file's edits to all servers, in turn."""
    uri, text = file.as_uri(), file.read_text(encoding="utf-8")
    rows = [Measured(server.name, name, len(text.splitlines()), pause) for server in servers]
    for server, row in zip(servers, rows):
        row.opened = 1000 * await opened(server, uri, text)
        row.diagnostics = len(server.newest[uri])
    await asyncio.sleep(REST)
    cpu = [cpu_seconds(server.pid) for server in servers]
    before = [server.published for server in servers]
    version = 2
    for burst in Typist(text, seed).bursts(edits):
        for server, row in zip(servers, rows):
            row.wall += [1000 * s for s in await press(server, uri, version, burst, pause / 1000)]
            row.edits += len(burst.keys)
        version += len(burst.keys)
    await asyncio.sleep(REST)
    for server, row, used, count in zip(servers, rows, cpu, before):
        now = cpu_seconds(server.pid)
        row.cpu = None if now is None or used is None else 1000 * (now - used) / row.edits
        row.published = server.published - count
        await server.stop()
    return rows


def commands(options: argparse.Namespace) -> dict[str, list[str]]:
    return {
        OWN: shlex.split(options.command),
        "ruff": [options.ruff, "server"],
        "pylsp": [options.pylsp],
    }


def versions(options: argparse.Namespace) -> dict[str, list[str]]:
    """What tells the version of each."""
    return {OWN: [sys.executable, "-m", "capture_lsp"], "ruff": [options.ruff], "pylsp": [options.pylsp]}


def environment() -> dict[str, str]:
    """That of a terminal in which this interpreter's environment is active."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return {**os.environ, "PATH": path, "VIRTUAL_ENV": sys.prefix}


def pylsp_plugins() -> list[str]:
    """The plugins that pylsp finds here and that load: the others need packages that are not installed."""
    found = []
    for point in entry_points(group="pylsp"):
        try:
            point.load()
        except ImportError:
            continue
        distribution = point.dist
        found.append(f"{point.name} ({distribution.name} {distribution.version})" if distribution else point.name)
    return sorted(found)


def version(command: Sequence[str]) -> str:
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{' '.join(command)} does not run: {error}")
    return done.stdout.strip()


def files_of(options: argparse.Namespace) -> list[tuple[str, Path, Path]]:
    """(name, path, root of the workspace) of each file."""
    if options.files:
        return [(file.name, file.resolve(), file.resolve().parent) for file in options.files]
    found = []
    for library, inside in FILES:
        folder = install(LIBRARIES[library], CACHE)
        root = CACHE / f"{library}-{LIBRARIES[library].version}"
        found.append((f"{library}: {inside}", folder / inside, root))
    return found


def table(rows: Sequence[Measured]) -> None:
    print(f"{'server':<12} {'opened':>7} {'p50':>7} {'p95':>7} {'max':>7} {'CPU':>7}   diagnostics")
    for row in rows:
        cpu = "-" if row.cpu is None else f"{row.cpu:.1f}"
        times = " ".join(f"{value:>7.1f}" for value in (row.quantile(0.5), row.quantile(0.95), max(row.wall)))
        print(f"{row.server:<12} {row.opened:>7.0f} {times} {cpu:>7}   {row.diagnostics}, sent {row.published} times")
    print(flush=True)


def missed(row: Measured) -> list[str]:
    for lines, half, most in TARGETS:
        if row.lines <= lines:
            found = [(0.5, half), (0.95, most)]
            return [
                f"{row.file}: {row.quantile(part):.0f} ms for {part:.0%} of the keys, target {limit:.0f}"
                for part, limit in found
                if limit is not None and row.quantile(part) > limit
            ]
    return []


async def run(options: argparse.Namespace, logs: Path) -> list[Measured]:
    rows = []
    for name, path, root in files_of(options):
        for pause in options.pause:
            servers = [
                Server(label, command, root, environment(), logs / f"{label}.log")
                for label, command in commands(options).items()
                if label in options.servers
            ]
            try:
                found = await measure(servers, path, name, options.edits, options.seed, pause)
            finally:
                for server in servers:
                    await server.kill()
            way = f"a key every {pause:g} ms" if pause else "the next key when diagnostics came"
            print(f"{name}, {found[0].lines} lines, {found[0].edits} edits, {way} (ms)")
            table(found)
            rows += found
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=150, help="in each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, nargs="+", default=[0.0, 60.0], help="ms between keys; 0: see above")
    parser.add_argument("--servers", nargs="+", default=[OWN, "ruff", "pylsp"])
    parser.add_argument("--command", default=f"{sys.executable} -m capture_lsp server")
    scripts = Path(sys.executable).parent
    parser.add_argument("--ruff", default=str(scripts / "ruff"))
    parser.add_argument("--pylsp", default=str(scripts / "pylsp"))
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    known = {label: version(command) for label, command in versions(options).items() if label in options.servers}
    plugins = pylsp_plugins() if "pylsp" in options.servers else []
    print(", ".join(known.values()))
    if plugins:
        print(f"pylsp's plugins: {', '.join(plugins)}")
    print()
    with tempfile.TemporaryDirectory() as logs:
        try:
            rows = asyncio.run(run(options, Path(logs)))
        except LspError as error:
            sys.exit(str(error))
    if options.output:
        about = {"versions": known, "pylsp_plugins": plugins, "python": platform.python_version(), "seed": options.seed}
        about["processor"] = f"{platform.machine()}, {os.cpu_count()} cores"
        text = json.dumps({**about, "rows": [row.to_json() for row in rows]}, indent=1)
        options.output.write_text(text + "\n", encoding="utf-8")
    problems = [text for row in rows if row.server == OWN and not row.pause for text in missed(row)]
    if problems:
        sys.exit("target missed: " + "; ".join(problems))


if __name__ == "__main__":
    main()
