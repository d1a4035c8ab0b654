"""Writes analyzer/knowledge/python_api.tsv (a row a name) and python_variants.tsv (a row a kind of argument).

Both say what real PyTorch does with the cases of `python_api_cases*.py`.

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

import python_harness  # noqa: E402
from python_harness import skips_frame  # noqa: E402

TABLE = HERE.parent.parent / "analyzer" / "knowledge" / "python_api.tsv"
VARIANTS = TABLE.with_name("python_variants.tsv")
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


#: Conditions that the analyzer can decide; other variants are special forms and only noted.
CONDITIONS = (
    "tensor",
    "tensor-list",
    "tensor-key",
    "size",
    "dynamic-size",
    "object",
    "module",
    "outside",
    "list",
    "constant",
)
#: A value with one of these effects is another one next time, whatever one measured call says.
CHANGING = ("time", "random", "env", "io")


def outcome_columns(runs: list[dict[str, Any]], returns: str, effect: str) -> dict[str, str]:
    """The columns that the runs of one variant give."""
    columns: dict[str, str] = {}
    notes: list[str] = []
    dynamo = [r["dynamo"]["outcome"] for r in runs]
    columns["dynamo"] = worst(dynamo, ("error", "break", "ok"))
    ids = [r["dynamo"]["gb"] for r in runs]
    columns["graph_break"] = ""
    if columns["dynamo"] != "ok":
        columns["graph_break"] = ",".join(dict.fromkeys(i[0] for i in ids if i))
    broken = [r["dynamo"] for r in runs if r["dynamo"]["outcome"] == "break"]
    if any(skips_frame(d["titles"]) for d in broken):
        notes.append("skips the frame")
    if columns["dynamo"] == "error":
        notes.append("dynamo: " + next(r["dynamo"]["message"] for r in runs if r["dynamo"]["outcome"] == "error"))
    for run in (r["returned"] for r in runs):
        if run["outcome"] == "freezes":
            notes.append("dynamo keeps the first value")
        elif run["outcome"] == "wrong":
            notes.append(f"dynamo returns {run['message']}")
        elif run["outcome"] != "ok" and columns["dynamo"] == "ok":
            notes.append(f"{run['outcome']} if returned {','.join(run['gb'][:1])}".strip())
    full = [r["fullgraph"]["outcome"] for r in runs if r["fullgraph"]]
    if columns["dynamo"] == "break" and full and all(f == "ok" for f in full):
        notes.append("fullgraph captures it")
    columns["trace"] = worst([r["trace"]["outcome"] for r in runs], ("error", "freezes", "ok"))
    columns["fx"] = worst([r["fx"]["outcome"] for r in runs], ("refused", "freezes", "ok"))
    if effect in CHANGING and returns.startswith(("static:", "data:", "list(", "same")):
        columns["trace"] = "freezes" if columns["trace"] == "ok" else columns["trace"]
        columns["fx"] = "freezes" if columns["fx"] == "ok" else columns["fx"]
    script = [r["script"]["outcome"] for r in runs]
    columns["script"] = worst(script, ("ok", "refused"))
    columns["note"] = "; ".join(dict.fromkeys(notes))
    return columns


def variants_of(name: Name, runs: dict[tuple[str, str], dict[str, Any]], complain: bool) -> list[dict[str, str]]:
    """One row for each condition or form of a name that was measured, its base first."""
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
    for when, found in groups.items():
        if complain and len({r["dynamo"]["outcome"] for _, r in found}) > 1:
            print(f"{name.name} ({when}): variants disagree", file=sys.stderr)
        known = when == "base" or when in CONDITIONS
        label = "always" if when == "base" else when if known else f"form:{when}"
        row = {"name": name.name, "returns": found[0][0], "effect": name.effect, "when": label, "since": ""}
        row.update(outcome_columns([r for _, r in found], found[0][0], name.effect))
        rows.append(row)
        dynamic = [r["dynamic"] for _, r in found if r["dynamic"]]
        broken = [d for d in dynamic if d["outcome"] in ("break", "error")]
        if broken and row["dynamo"] == "ok":
            note = broken[0].get("message", "")
            more = {"dynamo": broken[0]["outcome"], "graph_break": ",".join(broken[0]["gb"][:1]), "note": note}
            rows.append({**row, "when": "dynamic-size" if known else f"form:{when}, dynamic-size", **more})
    return rows


def summary(rows: list[dict[str, str]]) -> dict[str, str]:
    """The one row of a name: its base, the conditions under which Dynamo breaks, and notes on the rest."""
    base = rows[0]
    row = dict(base)
    notes = [base["note"]]
    conditions = [r for r in rows[1:] if r["when"] in CONDITIONS]
    bad = [r for r in conditions if r["dynamo"] != "ok"]
    if base["dynamo"] == "ok" and bad:
        row["dynamo"] = "break" if any(r["dynamo"] == "break" for r in bad) else "error"
        row["graph_break"] = ",".join(dict.fromkeys(r["graph_break"] for r in bad if r["graph_break"]))
        row["when"] = ",".join(dict.fromkeys(r["when"] for r in bad))
        notes += [f"{r['when']}: {r['note']}" for r in bad if r["note"]]
    elif base["dynamo"] != "ok":
        fine = [r["when"] for r in conditions if r["dynamo"] == "ok"]
        row["when"] = ",".join(["always", *(f"!{w}" for w in dict.fromkeys(fine))])
    for other in rows[1:]:
        if other["when"].startswith("form:") and (other["dynamo"], other["graph_break"]) != (
            base["dynamo"],
            base["graph_break"],
        ):
            notes.append(f"{other['when'][5:]}: {other['dynamo']} {other['graph_break']}".strip())
        for text in other["note"].split("; "):
            if text.startswith(("dynamo keeps", "dynamo returns", "break if returned")) and text not in base["note"]:
                notes.append(f"{other['when'].removeprefix('form:')}: {text}")
    given = [r for r in conditions if r["when"] in ("tensor", "tensor-list", "size", "object")]
    if row["fx"] == "ok" and given:
        row["fx"] = worst([r["fx"] for r in given], ("refused", "freezes", "ok"))
    frozen = [r["when"] for r in given if r["trace"] == "freezes" and base["trace"] == "ok" and r["when"] != "object"]
    if frozen:
        notes.append("trace freezes: " + ", ".join(dict.fromkeys(frozen)))
    forms = [r["when"].removeprefix("form:") for r in rows[1:] if r["script"] != base["script"]]
    if forms:
        notes.append(f"script {'refuses' if base['script'] == 'ok' else 'takes'}: {', '.join(dict.fromkeys(forms))}")
    returns = [f"{r['when']} gives {r['returns']}" for r in conditions if r["returns"] != base["returns"]]
    row["note"] = "; ".join(dict.fromkeys(n for n in notes + returns if n))
    return row


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

    measured = options.measured or pathlib.Path(tempfile.mkdtemp()) / "measured.jsonl"
    names = all_names()
    import python_api_cases_third

    prelude = python_api_cases.PRELUDE + f"\nFLAG = {str(python_harness.WORK / 'flag')!r}\n"
    third = {n.name for n in parse(python_api_cases_third.CASES)}
    cases = [(n.name, code) for n in names if n.name.startswith(options.only) for _, _, code in n.variants]
    python_harness.run_all(prelude, [c for c in cases if c[0] not in third], measured)
    cases = [c for c in cases if c[0] in third]
    python_harness.run_all(prelude + python_api_cases_third.PRELUDE, cases, measured)
    runs = {}
    for line in measured.read_text().splitlines():
        run = json.loads(line)
        runs[run["key"], run["code"]] = run
    variants = [v for n in names if (v := variants_of(n, runs, not options.quiet))]
    rows = [summary(v) for v in variants] + by_hand()
    write(TABLE, sorted(rows, key=lambda r: r["name"]))
    write(VARIANTS, sorted((row for v in variants for row in v), key=lambda r: r["name"]))
    print(f"{len(rows)} names, {sum(map(len, variants))} variants, {len(runs)} snippets")


def tidy(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\S*snippet_\d+_\d+(\.py)?", "snippet", text))


def write(path: pathlib.Path, rows: list[dict[str, str]]) -> None:
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(tidy(row.get(c, "")).strip() for c in COLUMNS) for row in rows]
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
