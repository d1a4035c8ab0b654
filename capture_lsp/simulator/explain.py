"""One sentence for each call of a run: what just happened, from the run's own facts.

The sentence is put together from three tables: what the frontend did (`_DONE`), which way the program's decisions went
(`_WAYS`), and what became of the answer (`_ANSWERS`). Every row says only what its facts say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from capture_lsp.probe.line_numbers import parsed

if TYPE_CHECKING:
    from runtime_probe.simulation import Call, EventKind, Frontend, Run, Survey

Family = Literal["eager", "ahead", "jit"]

#: Each frontend's family, its own name, what it makes, and how that is said of the call that captures.
FRONTEND_WORDS: dict[Frontend, tuple[Family, str, str, str]] = {
    "eager": ("eager", "eager PyTorch", "program", "run eagerly"),
    "trace": ("ahead", "torch.jit.trace", "trace", "traced with these inputs"),
    "fx": ("ahead", "torch.fx", "FX graph", "traced symbolically"),
    "script": ("ahead", "torch.jit.script", "script", "scripted"),
    "dynamo": ("jit", "torch.compile", "graph", "compiled for these inputs"),
    "fullgraph": ("jit", "torch.compile with fullgraph", "graph", "compiled whole for these inputs"),
    "export": ("ahead", "torch.export", "exported program", "exported with these inputs"),
}

#: What happened in a call, most telling first.
_PRIORITY: tuple[EventKind, ...] = (
    "refused",
    "error",
    "limit",
    "skip",
    "break",
    "eager",
    "recompile",
    "capture",
    "compile",
    "hit",
)

#: What the frontend did.
_DONE: dict[tuple[Family, EventKind], str] = {
    ("eager", "eager"): "run eagerly, line by line, with nothing captured",
    ("eager", "error"): "run eagerly, with nothing captured; the program raises an error",
    ("ahead", "refused"): "{frontend} refuses the program{place}{message}",
    ("ahead", "capture"): "{made}",
    ("ahead", "compile"): "{made}",
    ("ahead", "hit"): "the {noun} of the first call is run again",
    ("ahead", "error"): "the {noun} of the first call is run again and raises an error",
    ("ahead", "eager"): "it runs eagerly",
    ("jit", "refused"): "{frontend} refuses the program{place}{message}",
    ("jit", "capture"): "{made}",
    ("jit", "compile"): "{made}",
    ("jit", "recompile"): "{guard}, so it is compiled again{dynamic}",
    ("jit", "break"): "{why}{graphs}, broken{place} where Python takes over",
    (
        "jit",
        "skip",
    ): "a break{place} that no graph can be split at leaves the whole function to Python: it runs eagerly{besides}",
    ("jit", "limit"): "the limit on recompiles is reached: {limited}",
    ("jit", "hit"): "all guards hold, and what was compiled before is run again",
    ("jit", "error"): "the call raises an error",
    ("jit", "eager"): "{guarded}it runs eagerly, without a graph",
}

#: Which way the decisions went, where a frontend captured something.
_WAYS: dict[tuple[Family, str], str] = {
    ("ahead", "none"): "",
    ("ahead", "same way"): "the decisions go as in the captured call",
    ("ahead", "kept"): "this input decides otherwise{change}, and the {noun} follows, for it holds the decision itself",
    (
        "ahead",
        "lost",
    ): "it holds only the way of the captured call{missing}, while this input decides otherwise{change}",
    ("ahead", "refused"): "{otherwise}",
    ("jit", "none"): "",
    ("jit", "same way"): "the decisions go as in the captured call",
    ("jit", "kept"): "this input decides otherwise{change}, and {follower}",
    (
        "jit",
        "lost",
    ): "the graph holds only the way of the captured call{missing}, while this input decides otherwise{change}",
    ("jit", "refused"): "{otherwise}",
}

#: What became of the answer: (answer, whether the way was lost).
_ANSWERS: dict[tuple[str, bool], str] = {
    ("right", False): "the answer is the program's own",
    ("right", True): "the answer happens to be right",
    ("wrong", False): "the answer is {off}, and no error says so{frozen}",
    ("wrong", True): "the answer is {off}, and no error says so",
    ("error", False): "there is an error where the program itself has an answer{error}",
    ("error", True): "there is an error where the program itself has an answer{error}",
    ("refused", False): "there is no answer",
    ("refused", True): "there is no answer",
}

#: Behind a sentence, and not behind an abbreviation within it.
_SENTENCE_ENDS = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)\. ")
#: What torch says before the reason.
_ADVICE = "Consider annotating your code using torch._check*(). "
_LONGEST = 120  #: characters of a message or a piece of source in a sentence


def explained(run: Run, survey: Survey) -> Run:
    """A run with the explanation of each of its calls."""
    calls: list[Call] = [
        {**call, "explanation": sentence(run, number, survey)} for number, call in enumerate(run["calls"])
    ]
    return {**run, "calls": calls}


def sentence(run: Run, number: int, survey: Survey) -> str:
    """What happened in one call of a run."""
    frontend = run["request"]["frontend"]
    family, name, noun, made = FRONTEND_WORDS[frontend]
    call = run["calls"][number]
    kind = happened(run, number)
    lost = call["branches"] == "lost"
    facts = {
        "frontend": name,
        "noun": noun,
        "made": _made(made, call, survey) if number == 0 else "what no call has reached before is compiled",
        "place": _place(call, run, kind),
        "message": f": {in_short(_message(call, run, kind))}" if _message(call, run, kind) else "",
        "guard": _guard(call),
        "guarded": f"{_guard(call)}, and " if call["recompiles"] else "",
        "limited": "an error, with fullgraph" if frontend == "fullgraph" else "from here on the function runs eagerly",
        "dynamic": _dynamic(call, run),
        "otherwise": f"this input decides otherwise{change}" if (change := _change(call, survey)) else "",
        "why": f"{_guard(call)}, so it is compiled again into " if call["recompiles"] else "compiled into ",
        "graphs": _counted(call["graphs"], "graph"),
        "besides": _besides(call["graphs"]),
        "change": change,
        "missing": _missing(call, survey),
        "follower": _follower(kind, call),
        "off": _off(call),
        "frozen": _frozen(call),
        "error": f": {in_short(call['difference'])}" if call["difference"] else "",
    }
    clauses = [_DONE[family, kind].format_map(facts)]
    if family != "eager" and kind != "refused":
        clauses.append(_WAYS[family, call["branches"]].format_map(facts))
    if family != "eager" and not (kind == "refused" and call["answer"] == "refused"):
        clauses.append(_ANSWERS[call["answer"], lost].format_map(facts))
    text = "; ".join(clause for clause in clauses if clause)
    return (text if text.startswith("torch.") else text[:1].upper() + text[1:]) + ("" if text.endswith("…") else ".")


def happened(run: Run, number: int) -> EventKind:
    """The most telling event of a call; each kind has a row in `_DONE` for the frontend's family."""
    frontend = run["request"]["frontend"]
    family = FRONTEND_WORDS[frontend][0]
    call = run["calls"][number]
    kinds: set[str] = {event["kind"] for event in call["events"]}
    if family == "eager":
        return "error" if "error" in kinds else "eager"
    if run["captured"] == "refused" or call["answer"] == "refused":
        return "refused"
    if call["answer"] == "error":
        return "limit" if call["limit"] and family == "jit" else "error"
    if call["limit"]:
        kinds.add("limit")
    if family == "jit" and run["captured"] == "nothing" and not kinds & {"limit", "skip", "recompile"}:
        return "eager"
    found = next((kind for kind in _PRIORITY if kind in kinds and (family, kind) in _DONE), None)
    return found or ("capture" if number == 0 else "hit")


def _made(made: str, call: Call, survey: Survey) -> str:
    taken = _taken(call["ways"], survey)
    return f"{made} ({taken})" if taken else made


def _taken(ways: Sequence[str], survey: Survey) -> str:
    told = [f"`{in_short(d['text'])}` {way}" for d, way in zip(survey["controls"]["decisions"], ways) if way]
    return ", ".join(told[:2]) + (", …" if len(told) > 2 else "")


def _change(call: Call, survey: Survey) -> str:
    """` (`x.sum() > 0` was True and is False)` for the first decision that goes otherwise."""
    told = [
        f"`{in_short(decision['text'])}` was {then or 'not reached'} and is {now or 'not reached'}"
        for decision, now, then in zip(survey["controls"]["decisions"], call["ways"], call["captured_ways"])
        if now != then
    ]
    return f" ({told[0]}{' and others' if len(told) > 1 else ''})" if told else ""


def _missing(call: Call, survey: Survey) -> str:
    """` without `return x - 1` (line 7)`: what eager runs now and the capture lacks."""
    numbers = parsed(call["missed"])
    if not numbers:
        return ""
    lines = survey["source"].split("\n")
    first = lines[numbers[0] - 1].strip() if numbers[0] <= len(lines) else ""
    if len(numbers) == 1 and first:
        return f", without `{in_short(first)}` (line {numbers[0]})"
    return f", without line{'s' if len(numbers) > 1 else ''} {call['missed']}"


def _follower(kind: EventKind, call: Call) -> str:
    """What lets a compiled function go another way."""
    if kind == "recompile":
        return "the new graph has its way"
    if kind in ("skip", "limit", "eager"):
        return "Python takes it"
    return "Python takes it at the break" if call["breaks"] else "the graph follows, for it holds the decision itself"


def _guard(call: Call) -> str:
    if not call["recompiles"]:
        return "a guard failed"
    first = call["recompiles"][0]
    new = f"`{first['dimension']}` is new: " if first["dimension"] else ""
    return f"{new}the guard `{in_short(first['guard'])}` failed"


def _dynamic(call: Call, run: Run) -> str:
    """Whether the graph that this call compiled is for more than its own sizes."""
    made = {event["graph"] for event in call["events"] if event["kind"] == "compile"}
    shapes = [n["shape"] or [] for graph in run["graphs"] if graph["id"] in made for n in graph["nodes"]]
    return ", now for sizes of any number" if any(not size.isdigit() for shape in shapes for size in shape) else ""


def _off(call: Call) -> str:
    if call["largest"]:
        return f"off by {call['largest']:.3g}"
    return f"another one ({in_short(call['difference'])})" if call["difference"] else "another one"


def _frozen(call: Call) -> str:
    """Where the way is the same and the answer is not: the first value that the capture holds and the program would
    read otherwise."""
    for value in call["frozen"]:
        if value["differs"]:
            return (
                f": the capture holds `{in_short(value['what'])}` = {in_short(value['captured'], 40)} from line "
                f"{value['line']}, which is {in_short(value['now'], 40)} now"
            )
    return ""


def _message(call: Call, run: Run, kind: str) -> str:
    if kind != "refused":
        return ""
    text = run["message"] or next((e["text"] for e in call["events"] if e["kind"] == kind), "") or call["difference"]
    return text.replace(_ADVICE, "")


def _place(call: Call, run: Run, kind: str) -> str:
    line = next((event["line"] for event in call["events"] if event["kind"] == kind and event["line"]), None)
    if line is None and kind in ("refused", "skip"):
        line = run["line"]
    return f" at line {line}" if line else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _besides(graphs: int) -> str:
    """Graphs that there are though a function is left to Python: of what it calls, or of the code around it."""
    return f", and there {'is' if graphs == 1 else 'are'} {_counted(graphs, 'graph')} besides" if graphs else ""


def in_short(text: str, most: int = _LONGEST) -> str:
    """A text on one line, without a dot at its end; a longer one is cut behind its first sentence, or at `most`
    characters."""
    line = " ".join(text.split()).rstrip(".")
    if len(line) > most:
        line = _SENTENCE_ENDS.split(line, maxsplit=1)[0]
    return line if len(line) <= most else line[: most - 1] + "…"
