"""What the text formats of the probe share: names, places, reasons in short."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from analyzer.outcome import BAD, RANK, Outcome
from capture_lsp.formats.full import FRONTEND_NAMES, OUTCOME_WORDS
from capture_lsp.formats.style import printable
from capture_lsp.paths import display

if TYPE_CHECKING:
    from runtime_probe.report import Break, Entry, Guard, Verdict

_SENTENCE_END = re.compile(r"\.\s+(?=[A-Z])")
_RESUMED = re.compile(r"^(?P<owner>.*?)torch_dynamo_resume_in_(?P<name>.+)_at_(?P<line>\d+)$")

#: Guards on what a program's writer never changes: which module, class or builtin a name is, empty hooks.
_IDENTITY = re.compile(
    r"BUILTIN_|MODULE_MATCH|CLASS_|CLOSURE_|FUNCTION_|TYPE_|ID_|NOT_PRESENT|EMPTY_|DICT_|HASATTR|WEAKREF"
)

#: The order of the rows of the matrix.
MATRIX = ("dynamo", "fullgraph", "trace", "fx", "script", "export")


_PARTS = {
    "program": "running it",
    "dynamo": "torch.compile",
    "fullgraph": "torch.compile(fullgraph=True)",
    "trace": "torch.jit.trace",
    "fx": "torch.fx.symbolic_trace",
    "script": "torch.jit.script",
    "export": "torch.export",
    "perturb": "with other inputs",
    "paths": "other paths",
    "measure": "what it costs",
    "kernels": "generated kernels",
    "settings": "arguments of torch.compile",
}


def part_words(part: str, parts: Sequence[str]) -> str:
    """`with other inputs (2 of 4)`: a part among all that there are of an entry."""
    step = "dynamo" if part == "program" else part
    number = f" ({parts.index(step) + 1} of {len(parts)})" if step in parts and len(parts) > 1 else ""
    return _PARTS.get(part, part) + (number if part != "program" else "")


def is_bad(outcome: str) -> bool:
    return outcome in BAD


def outcome_words(outcome: str) -> str:
    return OUTCOME_WORDS.get(cast(Outcome, outcome), outcome.replace("_", " "))


def frontend_name(frontend: str) -> str:
    return FRONTEND_NAMES.get(frontend, frontend)


def function_name(name: str) -> str:
    """A function as people know it: what goes on behind a break is the rest of it, from a line on."""
    lines = []
    while found := _RESUMED.match(name):
        name = found["owner"] + found["name"]
        lines.append(found["line"])
    return f"{name} from line {lines[0]} on" if lines else name


def is_resume(name: str) -> bool:
    """Whether a function is the rest of another, behind a break."""
    return _RESUMED.match(name) is not None


def place(path: str | None, line: int | None, cwd: str, column: int | None = None) -> str:
    """`path:line:column`; empty where nothing is known."""
    if not path:
        return ""
    shown = printable(display(path, cwd))
    return shown + "".join(f":{number}" for number in (line, column) if number)


def short(reason: str, most: int = 110) -> str:
    """The beginning of a reason: its kind and the first sentence of the explanation."""
    text = printable(" ".join(reason.split()))
    head, _, rest = text.partition(": ")
    sentence = _SENTENCE_END.split(rest, maxsplit=1)[0].rstrip(".")
    found = f"{head}: {sentence}" if sentence else head
    return found if len(found) <= most else found[: most - 1] + "…"


def on_a_value(guard: Guard) -> bool:
    """Whether a guard is on one of the program's own values; most are on names, types and hooks."""
    imported = guard["source"].startswith("__import_")  # what torch's own modules read of each other
    return bool(guard["source"]) and not imported and not _IDENTITY.match(guard["kind"])


def breaks_of(entry: Entry) -> list[Break]:
    """The breaks of the given calls, in the order in which Dynamo met them, each once."""
    found: dict[tuple[object, ...], Break] = {}
    for frame in entry["frames"]:
        for one in frame["breaks"]:
            found.setdefault((one["path"], one["line"], one["column"], one["graph_break"]), one)
    return list(found.values())


def with_other_inputs(verdict: Verdict) -> str:
    """`silently wrong: values negated, batch 4; recompiles: k + 1`, the worst first; `ok` where nothing went wrong,
    empty where nothing was tried. The word stands first, so that what is cut off says less."""
    found: dict[str, dict[str, None]] = {}
    for one in verdict["perturbed"]:
        if is_bad(one["outcome"]):
            found.setdefault(one["outcome"], {})[one["change"]] = None
    if not found:
        return "ok" if any(one["outcome"] != "unknown" for one in verdict["perturbed"]) else ""
    ordered = [outcome for outcome in RANK if outcome in found]
    return "; ".join(f"{outcome_words(outcome)}: {', '.join(found[outcome])}" for outcome in ordered)


def compared(entry: Entry) -> str:
    """The main result of a comparison, the worst first: `trace silently wrong with other inputs; export ok`."""
    found: dict[tuple[int, str], list[str]] = {}
    for name in MATRIX:
        verdict = entry["matrix"].get(name)
        if verdict is None:
            continue
        others = [one["outcome"] for one in verdict["perturbed"] if is_bad(one["outcome"])]
        told, suffix = verdict["outcome"], ""
        if not is_bad(told) and others:
            told, suffix = min(others, key=_rank), " with other inputs"
        if name == "dynamo" and told not in ("silently_wrong", "refused"):
            continue  # the breaks say it
        found.setdefault((_rank(told), outcome_words(told) + suffix), []).append(frontend_name(name))
    return "; ".join(f"{', '.join(names)} {words}" for (_, words), names in sorted(found.items()))


def _rank(outcome: str) -> int:
    return next((number for number, one in enumerate(RANK) if one == outcome), len(RANK))


def wrong(entry: Entry) -> list[tuple[str, Verdict]]:
    """The frontends that did something bad besides what the breaks say of Dynamo already."""
    verdicts = [(name, entry["matrix"][name]) for name in MATRIX if name in entry["matrix"]]
    return [
        (n, v) for n, v in verdicts if is_bad(v["outcome"]) and v["outcome"] not in ("graph_break", "skipped_frame")
    ]
