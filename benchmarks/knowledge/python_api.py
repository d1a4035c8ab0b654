"""Writes analyzer/knowledge/python_api.tsv from what real PyTorch does with the cases of `python_api_cases*.py`.

    python benchmarks/knowledge/python_api.py [--measured FILE] [--only PREFIX]

`--measured` keeps the raw answers (JSON lines); a case that is already there is not run again.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
TABLE = HERE.parent.parent / "analyzer" / "knowledge" / "python_api.tsv"
COLUMNS = ("name", "returns", "effect", "dynamo", "graph_break", "when", "trace", "fx", "script", "since", "note")


@dataclass(slots=True)
class Name:
    """One callable of the table and its variants: (when, returns, code)."""

    name: str
    returns: str
    effect: str
    variants: list[tuple[str, str, str]] = field(default_factory=list)


def parse(text: str) -> list[Name]:
    """The names of a block of cases."""
    names: list[Name] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, returns, effect = (part.strip() for part in line.split(" | "))
            names.append(Name(name, returns, effect))
            continue
        head, code = line.strip().split(": ", 1)
        when, _, returns = head.partition(" -> ")
        names[-1].variants.append((when, returns or names[-1].returns, code.replace(" ⏎ ", "\n")))
    return names


def worst(values: list[str], order: tuple[str, ...]) -> str:
    return next((v for v in order if v in values), values[0])


def outcome_columns(runs: list[dict[str, Any]]) -> dict[str, str]:
    """The columns that the runs of one variant give."""
    columns: dict[str, str] = {}
    notes: list[str] = []
    dynamo = [r["dynamo"]["outcome"] for r in runs]
    columns["dynamo"] = worst(dynamo, ("error", "break", "freezes", "ok"))
    ids = [g for r in runs for g in r["dynamo"]["gb"]]
    columns["graph_break"] = ",".join(dict.fromkeys(ids)) if columns["dynamo"] != "ok" else ""
    if any(r["dynamo"]["skipped"] and r["dynamo"]["outcome"] == "break" for r in runs):
        notes.append("skips the frame")
    if columns["dynamo"] == "error":
        notes.append("dynamo: " + next(r["dynamo"]["message"] for r in runs if r["dynamo"]["outcome"] == "error"))
    dynamic = [r["dynamic"] for r in runs if r["dynamic"]]
    for run in dynamic:
        if run["outcome"] != "ok" and columns["dynamo"] == "ok":
            notes.append(f"dynamic sizes: {run['outcome']} {','.join(run['gb'])}".strip())
    returned = [r["returned"] for r in runs]
    for run in returned:
        if run["outcome"] == "freezes":
            notes.append("dynamo keeps the first value")
        elif run["outcome"] != "ok" and columns["dynamo"] == "ok":
            notes.append(f"result returned: {run['outcome']} {','.join(run['gb'])}".strip())
    full = [r["fullgraph"]["outcome"] for r in runs]
    if columns["dynamo"] == "break" and all(f == "ok" for f in full):
        notes.append("fullgraph captures it")
    if columns["dynamo"] == "ok" and any(f != "ok" for f in full):
        notes.append("fullgraph refuses")
    columns["trace"] = worst([r["trace"]["outcome"] for r in runs], ("error", "freezes", "ok"))
    columns["fx"] = worst([r["fx"]["outcome"] for r in runs], ("refused", "freezes", "ok"))
    columns["script"] = worst([r["script"]["outcome"] for r in runs], ("refused", "ok"))
    columns["note"] = "; ".join(dict.fromkeys(notes))
    return columns


def rows_of(name: Name, runs: dict[tuple[str, str], dict[str, Any]], complain: bool) -> list[dict[str, str]]:
    """The rows of one name: its base, and each variant that differs from it."""
    groups: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for when, returns, code in name.variants:
        run = runs.get((name.name, code))
        if run is None or "dynamo" not in run:
            if complain:
                reason = "not measured" if run is None else run.get("died") or run["eager"]["message"]
                print(f"{name.name}: {code!r}: {reason}", file=sys.stderr)
            continue
        groups.setdefault(when, []).append((returns, run))
    rows: list[dict[str, str]] = []
    base: dict[str, str] | None = None
    for when, found in groups.items():
        if complain and len({r["dynamo"]["outcome"] for _, r in found}) > 1:
            print(f"{name.name} ({when}): variants disagree", file=sys.stderr)
        row = {"name": name.name, "returns": found[0][0], "effect": name.effect, "when": when, "since": ""}
        row.update(outcome_columns([r for _, r in found]))
        if when == "base":
            row["when"] = "always"
            base = row
        elif base is not None and all(row[c] == base[c] for c in COLUMNS if c not in ("when",)):
            continue
        rows.append(row)
    return rows


def all_names() -> list[Name]:
    """The names of all case files, in order."""
    import python_api_cases

    texts = [python_api_cases.CASES]
    for module in ("python_api_cases_stdlib", "python_api_cases_third"):
        try:
            texts.append(__import__(module).CASES)
        except ImportError:
            continue
    return [n for text in texts for n in parse(text)]


def by_hand() -> list[dict[str, str]]:
    """Rows for what cannot be run here."""
    path = HERE / "python_by_hand.tsv"
    if not path.exists():
        return []
    lines = path.read_text().splitlines()
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:] if line.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", type=pathlib.Path, default=None)
    parser.add_argument("--only", default="")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    import python_api_cases
    import python_harness

    measured = options.measured or pathlib.Path(tempfile.mkdtemp()) / "measured.jsonl"
    names = all_names()
    prelude = python_api_cases.PRELUDE + f"\nFLAG = {str(python_harness.WORK / 'flag')!r}\n"
    cases = [(n.name, code) for n in names if n.name.startswith(options.only) for _, _, code in n.variants]
    python_harness.run_all(prelude, cases, measured)
    runs = {}
    for line in measured.read_text().splitlines():
        run = json.loads(line)
        runs[run["key"], run["code"]] = run
    rows = [row for n in names for row in rows_of(n, runs, not options.quiet)]
    rows += by_hand()
    rows.sort(key=lambda r: (r["name"], r["when"] != "always", r["when"]))
    text = "\t".join(COLUMNS) + "\n"
    for row in rows:
        text += "\t".join(re.sub(r"\s+", " ", row.get(c, "")).strip() for c in COLUMNS) + "\n"
    TABLE.write_text(text)
    print(f"{len(rows)} rows, {len({r['name'] for r in rows})} names")


if __name__ == "__main__":
    main()
