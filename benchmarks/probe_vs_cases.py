#!/usr/bin/env python3
"""Check what `check --probe` says of its findings under dynamo against recorded runs of PyTorch.

    python benchmarks/probe_vs_cases.py FOLDER [--match TEXT] [--chunk 20] [--jobs 2] [--command capture-lsp]

FOLDER holds small programs and `truth.jsonl`, one object a line: `file`, and for `dynamo` its `breaks` (line, ids),
`recompiles` and `skipped_frames`. Each file is probed as it stands: with the calls of its own `__main__`, or made-up
inputs where it makes none. The record used `inputs` and `variants`, which may differ; what follows from that alone is
told as a note. What Dynamo evaluated is asked of a second, plain `probe` of the same files.

A violation is a finding

- left `predicted` though the file was probed and Dynamo evaluated its expression, or the probe came to its end;
- `refuted` though the record has a break on its lines, of its kind or one that no other finding there confirms;
- `refuted` though Dynamo did not evaluate its expression (behind a skip, or on a path that was not taken);
- `not_reached` though Dynamo evaluated its expression;
- CAP599 where the record has no break;

or a recorded break without a finding that is `confirmed`, where the file's own calls break there.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

BREAKS = {"graph_break", "skipped_frame"}
BAD = BREAKS | {"recompiles", "refused", "silently_wrong"}
_GUARD_LINE = re.compile(r"\.py:(\d+) in ")

Row = dict[str, Any]
Finding = dict[str, Any]
Span = tuple[int, int, int, int]


class Case:
    """One file: its record, its findings, and what the plain probe saw."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.findings: list[Finding] = []
        self.errors: list[str] = []
        self.spans: set[Span] = set()
        self.broke: set[int] = set()
        self.whole = True

    @property
    def breaks(self) -> dict[int, set[str]]:
        """Recorded ids of breaks by line."""
        found: dict[int, set[str]] = {}
        for b in self.row["dynamo"].get("breaks", ()):
            if b["line"] is not None:
                found.setdefault(b["line"], set()).update(i for i in (b["gb_id"], b.get("inner_gb_id")) if i)
        return found

    @property
    def recompiled(self) -> set[int]:
        """Lines of recorded guards that failed."""
        recorded = self.row["dynamo"].get("recompiles", ())
        return {int(n) for r in recorded for n in _GUARD_LINE.findall(r["reason"])}

    def judge(self) -> tuple[list[str], list[str]]:
        """Violations, and notes."""
        wrong: list[str] = []
        notes: list[str] = [f"not probed: {message}" for message in self.errors]
        confirmed = {
            line
            for f in self.findings
            if f["status"].get("dynamo") == "confirmed"
            for line in range(f["line"], f["end_line"] + 1)
        }
        for f in self.findings:
            status, lines = f["status"].get("dynamo"), range(f["line"], f["end_line"] + 1)
            if status is None:
                continue
            outcome = f["outcomes"]["dynamo"]
            shown = f"{f['code']} {f['line']}:{f['column']}-{f['end_line']}:{f['end_column']} {outcome} {status}"
            recorded = [n for n in lines if n in self.breaks]
            ids = set(f["graph_breaks"])
            known = [n for n in recorded if not ids or ids & self.breaks[n] or n not in confirmed]
            evaluated = (f["line"], f["column"], f["end_line"], f["end_column"]) in self.spans
            if f["code"] == "CAP599" and not recorded:
                wrong.append(f"{shown}: no such break is recorded: {f['message']}")
            elif status == "predicted" and evaluated:
                wrong.append(f"{shown}: evaluated")
            elif status == "predicted":
                (wrong if self.whole else notes).append(f"{shown}: left predicted")
            elif status == "refuted" and outcome in BREAKS and known:
                wrong.append(f"{shown}: recorded at {known}")
            elif status == "refuted" and outcome == "recompiles" and self.recompiled & set(lines):
                notes.append(f"{shown}: the record's later calls compiled again for line {f['line']}")
            elif status == "refuted" and not evaluated:
                wrong.append(f"{shown}: its expression was not evaluated")
            elif status == "not_reached" and evaluated and outcome in BREAKS:
                wrong.append(f"{shown}: evaluated")
            elif status == "not_reached" and known:
                notes.append(f"{shown}: recorded at {known}, the file's own calls do not get there")
            elif status == "confirmed" and outcome in BREAKS and not recorded:
                notes.append(f"{shown}: not in the record")
        for line in sorted(set(self.breaks) - confirmed):
            ids = self.breaks[line]
            at = [f for f in self.findings if f["line"] <= line <= f["end_line"]]
            told = f"recorded break at {line} ({', '.join(sorted(ids))}): {[f['code'] for f in at]} not confirmed"
            (wrong if line in self.broke else notes).append(told)
        return wrong, notes


def run(command: str, arguments: list[str], given: str = "") -> dict[str, Any]:
    """The JSON that a command prints."""
    words = [*shlex.split(command), *arguments]
    done = subprocess.run(words, input=given, capture_output=True, encoding="utf-8", errors="replace")
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{' '.join(words[:3])} ended with {done.returncode}: {done.stderr[-2000:]}")
    return found


def fill(cases: dict[str, Case], command: str, jobs: int) -> None:
    """Run `check --probe`, then a plain `probe` of the files and of the roots that their findings name."""
    json_out = ["--output-format", "json", "--jobs", str(jobs)]
    checked = run(command, ["check", "--probe", "--frontend", "dynamo", "--no-cache", *json_out, *cases])
    for finding in checked["findings"]:
        cases[str(Path(finding["path"]).resolve())].findings.append(finding)
    for error in checked["errors"]:
        cases[str(Path(error["path"]).resolve())].errors.append(error["message"])
    targets = dict.fromkeys(cases)
    for finding in checked["findings"]:
        for root in finding["roots"]:
            path, _, name = root.partition("::")
            owner, _, last = name.rpartition(".")
            targets[f"{Path(path).resolve()}::{owner if owner and last == 'forward' else name}"] = None
    batch = "".join(json.dumps({"target": target}) + "\n" for target in targets)
    report = run(command, ["probe", "--batch", "-", "--no-matrix", *json_out], batch)
    for entry in report["entries"]:
        case = cases[entry["target"].partition("::")[0]]
        own = "::" not in entry["target"]
        case.whole = case.whole and (entry["status"] == "ok" or not own)
        for path, spans in entry["evaluated"].items():
            if str(Path(path).resolve()) in cases and (own or entry["status"] == "ok"):
                cases[str(Path(path).resolve())].spans.update((s[0], s[1], s[2], s[3]) for s in spans)
        case.broke |= {b["line"] for frame in entry["frames"] for b in frame["breaks"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--match", default="")
    parser.add_argument("--chunk", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--command", default="capture-lsp")
    parser.add_argument("--notes", action="store_true", help="print the notes, too")
    options = parser.parse_args()
    folder = options.folder.resolve()
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines() if line.strip()]
    rows = [r for r in rows if options.match in r["file"] and r["dynamo"].get("outcome", "n/a") != "n/a"]
    count: collections.Counter[str] = collections.Counter()
    for start in range(0, len(rows), options.chunk):
        cases = {str(folder / row["file"]): Case(row) for row in rows[start : start + options.chunk]}
        fill(cases, options.command, options.jobs)
        for path, case in cases.items():
            wrong, notes = case.judge()
            count["files"] += 1
            count["violations"] += len(wrong)
            count["notes"] += len(notes)
            count.update(f["status"]["dynamo"] for f in case.findings if "dynamo" in f["status"])
            for text in [*wrong, *(f"note: {note}" for note in notes if options.notes)]:
                print(f"{Path(path).name}: {text}", flush=True)
    print(", ".join(f"{what} {count[what]}" for what in sorted(count)))
    return 1 if count["violations"] else 0


if __name__ == "__main__":
    sys.exit(main())
