#!/usr/bin/env python3
"""Check the judge of `tests/truth` against recorded runs of PyTorch: agreement by frontend, and every disagreement.

    python benchmarks/judge_vs_cases.py FOLDER [--match TEXT] [--workers 2]

FOLDER holds small programs and `truth.jsonl`, one object a line with what torch did: `file`, `entry`, `inputs`,
`variants` and, for `dynamo`, `jit_trace`, `jit_script`, `fx` and `triton`, the recorded outcome. Programs that need
steps between calls, extra state or compile settings are left out.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.truth.client import judge_all, request_of

NAMES = {"trace": "jit_trace", "script": "jit_script", "fx": "fx", "triton": "triton"}
FINE = {"captured", "guarded", "recompiles"}
AHEAD = {
    "ok": FINE,
    "warns_only": FINE | {"silently_wrong"},
    "error": {"refused"},
    "error_on_call": {"refused"},
    "runtime_error": {"refused"},
    "error_on_variant": {"refused", "silently_wrong"},
    "silently_wrong": {"silently_wrong"},
}
DYNAMO = {
    "ok": {"captured"},
    "graph_break": {"graph_break", "skipped_frame"},
    "recompile_once": {"guarded"},
    "recompiles": {"recompiles"},
    "silently_wrong": {"silently_wrong"},
    "error": {"refused"},
}


def expectations(row: dict[str, Any]) -> dict[str, set[str]]:
    """Frontend -> outcomes of the judge that agree with the record."""
    wanted: dict[str, set[str]] = {}
    dynamo = row["dynamo"]
    if dynamo["outcome"] in DYNAMO:
        wanted["dynamo"] = DYNAMO[dynamo["outcome"]]
        if dynamo.get("recompile_limit_hit") or any(b["gb_id"] == "GB0039" for b in dynamo["breaks"]):
            wanted["dynamo"] = {"recompiles"}
        if "status" in dynamo.get("fullgraph", {}):
            wanted["fullgraph"] = FINE if dynamo["fullgraph"]["status"] == "ok" else {"refused"}
    for frontend, name in NAMES.items():
        recorded = row.get(name, {}).get("outcome")
        if recorded in AHEAD:
            wanted[frontend] = AHEAD[recorded]
    return wanted


def breaks_of(row: dict[str, Any]) -> set[tuple[int, str]]:
    """Recorded (line, id) of every break, the inner id where Dynamo wrapped one."""
    return {(b["line"], b.get("inner_gb_id") or b["gb_id"]) for b in row["dynamo"].get("breaks", []) if b["line"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--match", default="")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    rows = [json.loads(line) for line in (options.folder / "truth.jsonl").read_text().splitlines() if line.strip()]
    rows = [r for r in rows if options.match in r["file"] and expectations(r)]
    rows = [r for r in rows if not (r.get("before_call") or r.get("state") or r.get("compile_kwargs"))]
    requests = []
    for row in rows:
        source = (options.folder / row["file"]).read_text()
        is_kernel = set(expectations(row)) == {"triton"}
        entry = "None" if is_kernel else row["entry"]
        inputs = row["inputs"] or "()"
        requests.append(request_of(source, entry, inputs, row["variants"], sorted(expectations(row))))
    replies = judge_all(requests, options.workers)
    right: collections.Counter[str] = collections.Counter()
    total: collections.Counter[str] = collections.Counter()
    for row, reply in zip(rows, replies, strict=True):
        for frontend, wanted in expectations(row).items():
            verdict = reply["verdicts"][frontend]
            total[frontend] += 1
            if verdict["outcome"] in wanted:
                right[frontend] += 1
            else:
                print(f"{row['file']} {frontend}: recorded {'|'.join(sorted(wanted))}, judged {verdict['outcome']}")
                print(f"    {verdict.get('message', '')[:240]}")
        if "dynamo" in expectations(row):
            found = {(b["lines"][0], i) for b in reply["verdicts"]["dynamo"]["breaks"] if b["lines"] for i in b["ids"]}
            total["breaks"] += len(breaks_of(row))
            right["breaks"] += len(breaks_of(row) & found)
            lines = {line for line, _ in found}
            extra = lines - {line for line, _ in breaks_of(row)}
            total["extra lines"] += len(lines)
            right["extra lines"] += len(lines) - len(extra)
            if breaks_of(row) - found or extra:
                print(f"{row['file']} breaks: recorded {sorted(breaks_of(row))}, judged {sorted(found)}")
    for what in total:
        print(f"{what:12} {right[what]} of {total[what]} ({right[what] / max(total[what], 1):.3f})")
    seconds = sum(r["seconds"] for r in replies)
    print(f"{len(rows)} programs, {seconds:.0f} s of judging, {seconds / max(len(rows), 1):.1f} s each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
