"""Checks published libraries: CPU time cold and warm, what is found, and a sample of findings for a reader to judge.

    python benchmarks/check_libraries.py [--library NAME ...] [--sample 30 --seed 20260]

Each library is installed once, without its dependencies, into a cache folder. `torch` is torch/nn of the installed
torch. The sample goes to benchmarks/read_findings/LIBRARY.json as one more round: each finding with its place, its line
and a `verdict` that a reader fills in (right, wrong or unsure, and why). A round without verdicts is drawn again.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import random
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SHOWN = 10  #: internal errors
SHOWN_WIDTH = 110  #: characters of a line of somebody else's code
CACHE = Path.home() / ".cache" / "capture-corpus"


@dataclass(frozen=True)
class Library:
    """A distribution and the folder of it that is checked."""

    name: str
    version: str
    folder: str


LIBRARIES = {
    library.name: library
    for library in (
        Library("transformers", "5.24.0", "transformers/models"),
        Library("diffusers", "0.42.1", "diffusers"),
        Library("timm", "1.0.31", "timm"),
        Library("torch", "", "nn"),
    )
}


def install(library: Library, cache: Path) -> Path:
    """The folder to check; downloads the library on first use."""
    if library.name == "torch":
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.origin is None:
            sys.exit("torch is not installed in this environment")
        return Path(spec.origin).parent / library.folder
    target = cache / f"{library.name}-{library.version}"
    if not (target / ".complete").exists():
        shutil.rmtree(target, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", str(target)]
        subprocess.run([*pip, f"{library.name}=={library.version}"], check=True)
        (target / ".complete").touch()
    return target / library.folder


def cpu_of(command: list[str]) -> tuple[float, subprocess.CompletedProcess[str]]:
    """CPU seconds (user and system) of a command and of those of its children that it waited for.

    A worker that is killed at the end is never waited for, and its time is lost: measure with one process.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done


def report_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"check ended with {done.returncode}: {done.stderr[-3000:]}")
    return report


def line_of(path: Path, line: int) -> str:
    source = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return source[line - 1].strip()[:SHOWN_WIDTH] if line <= len(source) else ""


def relative(path: str, folder: Path) -> str:
    full = Path(path).resolve()
    return full.relative_to(folder.parent).as_posix() if full.is_relative_to(folder.parent) else full.name


def draw(folder: Path, findings: list[dict[str, Any]], count: int, seed: int) -> dict[str, Any]:
    """`count` findings at random, in the order of their places, with what a reader needs to judge them."""
    ordered = sorted(findings, key=lambda f: (f["path"], f["line"], f["column"], f["code"]))
    chosen = sorted(random.Random(seed).sample(range(len(ordered)), min(count, len(ordered))))
    rows = []
    for index in chosen:
        finding = ordered[index]
        rows.append(
            {
                "code": finding["code"],
                "name": finding["name"],
                "path": relative(finding["path"], folder),
                "line": finding["line"],
                "column": finding["column"],
                "function": finding["function"],
                "message": finding["message"],
                "dynamo": finding["outcomes"].get("dynamo"),
                "roots": [
                    f"{relative(root.partition('::')[0], folder)}::{root.partition('::')[2]}"
                    for root in finding["roots"][:2]
                ],
                "source": line_of(Path(finding["path"]), finding["line"]),
                "verdict": {"judgement": None, "reason": ""},
            }
        )
    return {"seed": seed, "drawn_from": len(ordered), "findings": rows}


def judged(sample: dict[str, Any]) -> dict[str, int]:
    """How many findings of a round were judged right, wrong and unsure."""
    given = collections.Counter(finding["verdict"]["judgement"] for finding in sample["findings"])
    return {judgement: given[judgement] for judgement in ("right", "wrong", "unsure")}


def write_sample(library: Library, sample: dict[str, Any], path: Path) -> None:
    """Add a round to a library's file; a last round that nobody has judged yet is replaced."""
    known: dict[str, Any] = {"library": library.name, "version": library.version or "as installed", "rounds": []}
    if path.exists():
        known = json.loads(path.read_text(encoding="utf-8"))
    rounds = known["rounds"]
    if rounds and not any(finding["verdict"]["judgement"] for finding in rounds[-1]["findings"]):
        rounds.pop()
    if any(earlier["seed"] == sample["seed"] for earlier in rounds):
        print(f"  {path.name} holds verdicts for seed {sample['seed']}: draw with another --seed")
        return
    rounds.append(sample)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"  {len(sample['findings'])} findings drawn into {path.relative_to(HERE.parent)}")
    for earlier in rounds[:-1]:
        print(f"  seed {earlier['seed']}: " + ", ".join(f"{count} {name}" for name, count in judged(earlier).items()))


def check(library: Library, options: argparse.Namespace) -> None:
    folder = install(library, options.cache)
    files = sum(1 for _ in folder.rglob("*.py"))
    check = [*shlex.split(options.command), "check", "--jobs", "1", "--output-format", "json"]  # see cpu_of
    command = [*check, *options.extra, str(folder)]
    with tempfile.TemporaryDirectory() as cache:
        cold, done = cpu_of([*command, "--cache-dir", cache])
        report = report_of(done)
        warm, again = cpu_of([*command, "--cache-dir", cache])
    same = report_of(again) == report
    rules = collections.Counter(finding["code"] for finding in report["findings"])
    errors = collections.Counter(error["kind"] for error in report["errors"])
    print(f"{library.name} {library.version}: {files} files, CPU cold {cold:.1f} s, warm {warm:.2f} s")
    print(f"  {len(report['findings'])} findings: " + ", ".join(f"{code} {n}" for code, n in rules.most_common()))
    print(f"  {len(report['errors'])} errors: " + (", ".join(f"{kind} {n}" for kind, n in errors.items()) or "none"))
    if not same:
        print("  WARNING: the warm run reports something else than the cold one")
    for error in [error for error in report["errors"] if error["kind"] == "internal"][:SHOWN]:
        print(f"  internal error: {error['path']}:{error['line']} {error['message']}")
    if errors["internal"]:
        print("  no sample is drawn while there are internal errors")
    elif options.sample and report["findings"]:
        sample = draw(folder, report["findings"], options.sample, options.seed)
        write_sample(library, sample, HERE / "read_findings" / f"{library.name}.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", action="append", choices=LIBRARIES, help="all of them by default")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the libraries are installed")
    parser.add_argument("--command", default="capture-lsp")
    parser.add_argument("--sample", type=int, default=30, help="findings to draw for a reader; 0: none")
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("extra", nargs="*", help="further options of `check`, after --")
    options = parser.parse_args()
    for name in options.library or LIBRARIES:
        check(LIBRARIES[name], options)


if __name__ == "__main__":
    main()
