"""CPU time of `capture-lsp check`, ruff, torchfix and fixit on the same files, in one run.

    python benchmarks/compare_linters.py [PATH ...] [--files 100] [--rounds 3]

The other linters live in an environment of their own under the cache folder. Without PATH the files are the first
`--files` of timm's models. The rounds are interleaved, and the least CPU time (user and system, children included) of
each linter counts: the machine's other work can only add to it.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import venv
from pathlib import Path

from check_libraries import CACHE, LIBRARIES, cpu_of, install

ENVIRONMENT = Path.home() / ".cache" / "capture-lsp-benchmarks" / "venv"
OTHERS = {"ruff": "0.17.6", "torchfix": "0.7.0", "fixit": "2.2.1"}
TARGET = 20.0


def environment(folder: Path) -> Path:
    """The folder of the other linters' commands."""
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    wanted = [f"{name}=={version}" for name, version in OTHERS.items()]
    marker = folder / ".linters"
    if not marker.exists() or marker.read_text() != "\n".join(wanted):
        venv.create(folder, with_pip=True)
        subprocess.run([str(commands / "python"), "-m", "pip", "install", "--quiet", *wanted], check=True)
        marker.write_text("\n".join(wanted))
    return commands


def paths_of(options: argparse.Namespace) -> list[str]:
    if options.paths:
        return [str(path) for path in options.paths]
    folder = install(LIBRARIES["timm"], CACHE) / "models"
    return [str(path) for path in sorted(folder.glob("*.py"))[: options.files]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--command", default="capture-lsp")
    parser.add_argument("--environment", type=Path, default=ENVIRONMENT)
    options = parser.parse_args()
    commands = environment(options.environment)
    paths = paths_of(options)
    own = [*shlex.split(options.command), "check", "--jobs", "1", "--no-cache", "--exit-zero"]  # see cpu_of
    linters = {
        "capture-lsp": [*own, "--output-format", "json"],
        "ruff": [str(commands / "ruff"), "check", "--isolated", "--no-cache", "--exit-zero", "--select", "ALL"],
        "torchfix": [str(commands / "torchfix"), "--select", "ALL"],
        "fixit": [str(commands / "fixit"), "lint"],
    }
    times: dict[str, list[float]] = {name: [] for name in linters}
    for _ in range(options.rounds):
        for name, command in linters.items():
            cpu, done = cpu_of([*command, *paths])
            if done.returncode not in (0, 1) and name != "fixit":  # fixit's status is a set of flags
                sys.exit(f"{name} ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
            times[name].append(cpu)
    lines = sum(len(Path(path).read_bytes().splitlines()) for path in paths if Path(path).is_file())
    least = min(times["capture-lsp"])
    print(f"{len(paths)} paths, {lines} lines, least of {options.rounds} rounds")
    print(f"{'linter':<12} {'CPU s':>8} {'ratio':>8}")
    for name, seconds in times.items():
        print(f"{name:<12} {min(seconds):>8.2f} {min(seconds) / least:>7.1f}x")
    slow = [name for name in ("torchfix", "fixit") if min(times[name]) / least < TARGET]
    if slow:
        print(f"target missed: less than {TARGET:.0f} times the CPU time of capture-lsp: {', '.join(slow)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
