"""Turn measurements into a knowledge table: `python tables.py torch|modules|numpy MEASURED.jsonl… OUT.tsv`.

Nothing is decided here that a run can tell; `corrections.tsv` holds what a run cannot tell, with the reasons.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Record = dict[str, Any]
DTYPES = ("float", "int", "bool", "complex")


def load(paths: list[Path]) -> dict[str, list[Record]]:
    """The measurements by name; a later file replaces what an earlier one said of a name."""
    found: dict[str, list[Record]] = {}
    for path in paths:
        here: dict[str, list[Record]] = defaultdict(list)
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            here[record["name"]].append(record)
        found.update(here)
    return found


# What a call returns


def _kind(shape: Any) -> Any:
    """A description without dtype and dimensions: results of one kind are variants of one return type."""
    if shape[0] in ("list", "tuple"):
        inner = [_kind(s) for s in shape[1:]]
        if inner and all(i == inner[0] for i in inner) and inner[0] == "T":
            return (shape[0], "T*")
        return (shape[0], *inner)
    if shape[0] == "py":
        return ("py", shape[1])
    return shape[0]


def _call(record: Record) -> ast.Call | None:
    try:
        node = ast.parse(record["expression"], mode="eval").body
    except SyntaxError:
        return None
    return node if isinstance(node, ast.Call) else None


def _keywords(record: Record) -> set[str]:
    node = _call(record)
    found = {k.arg: k.value for k in node.keywords if k.arg} if node else {}
    return {k for k, v in found.items() if not (isinstance(v, ast.Constant) and v.value in (None, False))}


def _has_dim(record: Record) -> bool:
    node = _call(record)
    if node is None:
        return False
    if any(
        k.arg in ("dim", "axis") and not (isinstance(k.value, ast.Constant) and k.value.value is None)
        for k in node.keywords
    ):
        return True
    method = (
        isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id != "torch"
    )
    rest = node.args if method else node.args[1:]
    return any(_is_ints(a) for a in rest[:2])


def _is_ints(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, (ast.Tuple, ast.List)):
        return bool(node.elts) and all(_is_ints(e) for e in node.elts)
    return isinstance(node, ast.Constant) and type(node.value) is int


def _dtype(pairs: list[tuple[str, str]]) -> str:
    """The dtype class of results, from pairs (class of the first tensor argument or "", class of the result)."""
    outcomes = {result for _, result in pairs}
    by_first: dict[str, set[str]] = defaultdict(set)
    for first, result in pairs:
        by_first[first].add(result)
    real = {k: v for k, v in by_first.items() if k not in ("complex", "")}
    if real:
        by_first = defaultdict(set, real)
        outcomes = set().union(*real.values())
    if any(len(v) > 1 for v in by_first.values()):
        return f":{outcomes.pop()}" if len(outcomes) == 1 else ""
    of = {k: next(iter(v)) for k, v in by_first.items()}
    checked = [k for k in of if k in ("float", "int")] or [k for k in of if k]
    if checked and all(of[k] == k for k in checked) and (len(checked) > 1 or len(set(of.values())) == len(of) > 1):
        return ":same"
    if len(outcomes) == 1:
        return f":{outcomes.pop()}"
    if of.get("float") == "float" and of.get("int") == "float":
        return ":float"
    return ""


def _tensor(records: list[Record], path: tuple[int, ...]) -> str:
    def pick(record: Record) -> Any:
        shape = record["returns"]
        for index in path:
            shape = shape[1 + index]
        return shape

    plain = [r for r in records if not _keywords(r) & {"dtype"}] or records
    text = "tensor" + _dtype([(r["first"], pick(r)[1]) for r in plain])
    if path:
        return text
    sized = [r for r in records if r["dims"] not in ("", "0")]
    flat = [r for r in sized if not _has_dim(r) and "keepdim" not in _keywords(r)]
    rest = [r for r in sized if _has_dim(r)]
    if flat and all(pick(r)[2] == 0 for r in flat):
        return text + ("@0?dim" if any(pick(r)[2] for r in rest) else "@0")
    if flat and not rest:
        for keyword in ("reduction",):
            without = [r for r in flat if keyword not in _keywords(r)]
            if without and len(without) < len(flat) and all(pick(r)[2] == 0 for r in without):
                return text + f"@0?{keyword}"
    return text


PY = {
    "None": "none",
    "dtype": "meta:dtype",
    "device": "meta:device",
    "layout": "meta:layout",
    "module": "module",
    "function": "function",
    "dict": "object",
    "generator": "generator",
    "method": "function",
    "builtin_function_or_method": "function",
}


def _plain(records: list[Record], kind: str) -> str:
    if kind in PY:
        return PY[kind]
    tensors = any(r["first"] for r in records)
    contents = any(r["meta"] and not r["meta"].startswith("[") for r in records if r["first"])
    if kind == "Size":
        return "shape:size"
    if kind in ("bool", "int", "float", "complex", "str"):
        word = kind if kind != "complex" else "any"
        if not tensors:
            return f"static:{word}"
        if contents:
            return f"data:{word}"
        return f"meta:{word}" if kind in ("str", "bool") else f"shape:{word}"
    return "object"


def _numpy_class(dtype: str) -> str:
    for word in ("float", "complex", "bool"):
        if dtype.startswith(word):
            return word
    return "int" if dtype.startswith(("int", "uint")) else "object"


def _one_type(records: list[Record], kind: Any, path: tuple[int, ...] = ()) -> str:
    """The return type of records whose results are all of one kind."""
    if kind == "T":
        return _tensor(records, path)
    if kind in ("self", "sparse"):
        return str(kind)
    if kind == "array":
        word = "array" + _dtype([(r["first"], _numpy_class(r["returns"][1])) for r in records])
        return word + ("@0" if all(r["returns"][-1] == 0 for r in records) else "")
    if kind == "nested":
        return "object"
    if kind == "quantized":
        return "tensor"
    if kind == "npscalar":
        word = _dtype([(r["first"], _numpy_class(r["returns"][1])) for r in records])
        return (
            f"array{word}@0" if any(r["first"] for r in records) else f"static{word.replace(':same', ':any') or ':any'}"
        )
    if isinstance(kind, tuple) and kind[0] == "py":
        return _plain(records, kind[1])
    if isinstance(kind, tuple):
        lengths = {len(r["returns"]) for r in records}
        if kind[1:] == ("T*",):
            inner = _dtype([(r["first"], s[1]) for r in records for s in r["returns"][1:]])
            if len(lengths) > 1 or kind[0] == "list":
                return f"list(tensor{inner})"
            count = lengths.pop() - 1
            parts = [_tensor(records, (i,)) for i in range(count)]
            return f"tuple({','.join(parts)})"
        parts = []
        for index, inner_kind in enumerate(kind[1:]):
            sub = [{**r, "returns": r["returns"][1 + index]} for r in records]
            parts.append(re.sub(r"@0.*", "", _one_type(sub, inner_kind)))
        if parts and all(p.startswith("shape:int") for p in parts):
            return "shape:size"
        if len(set(parts)) == 1 and (len(lengths) > 1 or kind[0] == "list"):
            return f"list({parts[0]})" if not parts[0].startswith("data") else "data:list"
        return f"{kind[0]}({','.join(parts)})"
    return "unknown"


def returns(records: list[Record]) -> str:
    """The return type, with its variants: `tensor:same@0;dim=tuple(tensor:same,tensor:int)`."""
    records = [r for r in records if r["eager"] == "ok" and r["returns"] != ["py", "NotImplementedType", ""]]
    if not records:
        return "unknown"
    if records[0]["expression"].startswith("with "):
        return "context"
    if not records[0]["name"].endswith("_"):  # a no-op hands back its receiver: that says nothing
        records = [
            {**r, "returns": ["T", r["first"], int(r["dims"])]} if r["returns"] == ["self"] and r["dims"] else r
            for r in records
        ]
    plain = [r for r in records if not r["when"]]
    kinds: dict[Any, list[Record]] = defaultdict(list)
    for record in plain or records:
        kinds[_kind(record["returns"])].append(record)
    lists = [k for k in kinds if isinstance(k, tuple) and k[0] in ("list", "tuple")]
    if len(kinds) > 1 and len(lists) == len(kinds) and all(k[1:] == ("T*",) or len(k) == 1 for k in lists):
        best = max(lists, key=lambda k: len(kinds[k]))
        return _one_type([r for k in lists for r in kinds[k] if k[1:]], (best[0], "T*"))
    scalars = {k for k in kinds if k[0] == "py" and k[1] in ("bool", "int", "float", "complex")}
    if len(scalars) == len(kinds) > 1:
        flat = [r for k in kinds for r in kinds[k]]
        word = _plain(flat, "int").split(":")[0]
        return f"{word}:any"
    short = {k: [r for r in v if not _has_dim(r) and not _keywords(r)] for k, v in kinds.items()}
    order = sorted(kinds, key=lambda k: (-len(short[k]), -len(kinds[k])))
    words = [_one_type(kinds[order[0]], order[0])]
    known = {k for r in kinds[order[0]] for k in _keywords(r)}
    dimmed = any(_has_dim(r) for r in kinds[order[0]])
    for kind in order[1:]:
        alternative = kinds[kind]
        condition = ""
        if all(_has_dim(r) for r in alternative) and not dimmed:
            condition = "dim"
        else:
            shared = set.intersection(*(_keywords(r) for r in alternative)) - known
            condition = min(shared, default="")
        if condition:
            words.append(f"{condition}={_one_type(alternative, kind)}")
    seen = Counter(w.split("=", 1)[0] for w in words[1:])
    return ";".join(words[:1] + [w for w in words[1:] if seen[w.split("=", 1)[0]] == 1])


# What torch.compile does with it


def outcome(record: Record) -> tuple[str, str]:
    kind = record["dynamo"]
    return ("break" if kind == "skipped" else kind), (record["breaks"][0] if record["breaks"] else "")


def on_computed(records: list[Record]) -> tuple[list[Record], bool]:
    """Records with what was measured on computed values in place of arguments; whether arguments alone break."""
    merged: list[Record] = []
    arguments_only = False
    for record in records:
        if record.get("computed"):
            arguments_only |= outcome(merged[-1])[0] == "break" and outcome(record)[0] == "ok" and not record["when"]
            merged[-1] = {**merged[-1], **{k: record[k] for k in ("dynamo", "breaks", "reasons", "fullgraph")}}
        else:
            merged.append(record)
    return merged, arguments_only


def dynamo(records: list[Record]) -> tuple[str, str, str, str]:
    """dynamo, graph_break, when, note."""
    records = [r for r in records if r["eager"] == "ok" and r["dynamo"]]
    if not records:
        return "", "", "", "not run"
    on_arguments = records
    records, arguments_only = on_computed(records)
    hand = [r for r in records if r["origin"] == "hand"]
    base = [r for r in hand if not r["when"]] or [r for r in records if not r["when"]] or records
    counts = Counter(outcome(r) for r in base)
    default, notes = counts.most_common(1)[0][0], []
    if len(counts) > 1:
        told = ", ".join(f"{n}× {o}{' ' + g if g else ''}" for (o, g), n in counts.most_common())
        notes.append(f"mixed: {told}")
    parts: list[tuple[str, str, str]] = []
    if default[0] != "ok":
        parts.append((*default, ""))
    elif arguments_only:
        first = next(outcome(r) for r in on_arguments if outcome(r)[0] == "break" and not r["when"])
        parts.append((*first, "input"))
    excepted = []
    for record in hand:
        if not record["when"]:
            continue
        here = outcome(record)
        if here == default:
            continue
        if here[0] == "ok":
            excepted.append(record["when"])
        else:
            parts.insert(0, (*here, record["when"]))
    if excepted and parts and parts[-1][2] == "":
        parts[-1] = (*parts[-1][:2], "&".join(negated(w) for w in excepted))
    errors = [p for p in parts if p[0] == "error"]
    if any(p[0] == "break" for p in parts):
        notes += [f"error when {p[2]}" if p[2] else "error otherwise" for p in errors]
        parts = [p for p in parts if p[0] == "break"]
    if not parts:
        return "ok", "", "", "; ".join(notes)
    if errors:
        reasons = sorted({r["reasons"][-1] for r in records if r["dynamo"] == "error" and r["reasons"]})
        notes += [_short(reason) for reason in reasons[:1]]
    ids = [p[1] or "?" for p in parts]
    return (
        parts[0][0],
        ids[0].replace("?", "") if len(set(ids)) == 1 else " ".join(ids),
        ";".join(p[2] or "always" for p in parts),
        "; ".join(notes),
    )


def _short(reason: str) -> str:
    text = re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"\s+", " ", reason)).partition(" from user code")[0]
    return text[:120].rstrip()


def negated(when: str) -> str:
    """The condition under which a call breaks that is captured when `when`."""
    if when.startswith("no:"):
        return "has:" + when[3:]
    return "no:" + when[4:] if when.startswith("has:") else f"not({when})"


def traced(records: list[Record]) -> str:
    records = [r for r in records if r["eager"] == "ok" and r["trace"] and not r["when"]]
    words = Counter(r["trace"].split(":")[0] for r in records)
    return words.most_common(1)[0][0] if words else ""


def full(records: list[Record]) -> str:
    records = [r for r in records if r["eager"] == "ok" and r["fullgraph"] and not r["when"]]
    words = Counter(r["fullgraph"] for r in records)
    return words.most_common(1)[0][0] if words else ""


def both_modes(records: list[Record]) -> list[Record]:
    """Records of modules: one for what training and evaluation have in common, else one each."""
    merged: list[Record] = []
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record["eager"] == "ok" and record["dynamo"]:
            groups[record["when"]].append(record)
    for when, group in groups.items():
        group = [{**r, "mode": r["origin"], "origin": "hand"} for r in group]
        if len({outcome(r) for r in group}) == 1:
            merged.append(group[0])
            continue
        for record in group:
            plain = not when and outcome(record)[0] == "ok"
            merged.append(record if plain else {**record, "when": "&".join(w for w in (when, record["mode"]) if w)})
    return merged


def on_arrays(records: list[Record]) -> list[Record]:
    """Records of numpy callables: a call by hand or on arrays is the plain call, one on constants a special one.

    What was guessed beside a call by hand is left out: it would tell more of the guess than of the callable. So is a
    guess on arrays that breaks over what it was given, where constants are meant (`np.zeros(array)`).
    """
    ran = [{**r, "guessed": r["origin"] != "hand", "origin": "hand"} for r in records if r["eager"] == "ok"]
    by_hand = any(not r["when"] and not r["guessed"] for r in ran)
    kept = [r for r in ran if not (r["guessed"] and by_hand)]
    constants = [r for r in kept if r["when"] == "constants"]
    reads = {"GB0033", "GB0036", "GB0109", "GB0170", "GB0208", "GB0294"}
    if constants and outcome(constants[0])[0] == "ok":
        kept = [
            r
            for r in kept
            if r["when"] != "array" or not r["guessed"] or outcome(r)[0] == "ok" or outcome(r)[1] in reads
        ]
    # An error over guessed arguments tells of the guess: what they return counts, the error does not.
    kept = [{**r, "dynamo": ""} if r["guessed"] and r["dynamo"] == "error" else r for r in kept]
    plain = next((w for w in ("", "array", "constants") if any(r["when"] == w for r in kept)), "")
    return [{**r, "when": "" if r["when"] == plain else r["when"]} for r in kept]


def corrections(path: Path) -> dict[str, dict[str, str]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as lines:
        return {row["name"]: row for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


COLUMNS = {
    "torch": ("name", "returns", "dynamo", "graph_break", "when", "trace", "since", "note", "variants", "fullgraph"),
    "modules": ("name", "returns", "dynamo", "graph_break", "when", "note", "variants", "fullgraph"),
    "numpy": ("name", "returns", "dynamo", "graph_break", "when", "note", "variants", "fullgraph"),
}


def main() -> None:
    what, paths, target = sys.argv[1], [Path(p) for p in sys.argv[2:-1]], Path(sys.argv[-1])
    columns = COLUMNS[what]
    fixed = {n: f for n, f in corrections(HERE / "corrections.tsv").items() if f["table"] == what}
    prepare: Callable[[list[Record]], list[Record]] = (
        both_modes if what == "modules" else on_arrays if what == "numpy" else list
    )
    rows = []
    measured = load(paths)
    for name in sorted(measured.keys() | fixed.keys()):
        records = prepare([r for r in measured.get(name, []) if "when" in r])
        if not any(r["eager"] == "ok" for r in records) and name not in fixed:
            continue
        row = dict.fromkeys(columns, "") | dict(zip(("name", "returns"), (name, returns(records))))
        constants = [{**r, "when": ""} for r in records if r["when"] == "constants" and r["eager"] == "ok"]
        if what == "numpy" and constants and row["returns"] and returns(constants) != row["returns"]:
            row["returns"] += f";constants={returns(constants).partition(';')[0]}"
        row["dynamo"], row["graph_break"], row["when"], row["note"] = dynamo(records)
        row["trace"], row["fullgraph"] = traced(records), full(records)
        for column, value in fixed.get(name, {}).items():
            if value and column not in ("reason", "table"):
                row[column] = "" if value == "-" else value
        if what == "modules":  # a loss is 0-dim only for some values of its constructor's `reduction`
            row["returns"] = row["returns"].replace("@0", "")
            for when in dict.fromkeys(r["when"] for r in measured[name] if r.get("when")):
                other = returns([{**r, "when": ""} for r in measured[name] if r["when"] == when]).replace("@0", "")
                if other not in (row["returns"].partition(";")[0], "unknown"):
                    row["returns"] += f";{when}={other}"
        row["returns"], _, row["variants"] = row["returns"].partition(";")
        rows.append(row)
    with target.open("w", encoding="utf-8", newline="") as out:
        out.write("\t".join(columns) + "\n")
        for row in rows:
            out.write("\t".join(row[c].replace("\t", " ") for c in columns) + "\n")


if __name__ == "__main__":
    main()
