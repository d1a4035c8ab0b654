"""What the analyzer says of a captured function, in a few words. What the user suppressed happens all the same."""

from __future__ import annotations

import ast

from analyzer.finding import Finding, RootPlace
from analyzer.outcome import DYNAMO_FAMILY, Outcome
from capture_lsp.formats.style import counted
from capture_lsp.merge_probe import refuted
from capture_lsp.probe.functions import Function
from capture_lsp.results import FileResult, order
from capture_lsp.server import markdown


def foreseen(result: FileResult) -> list[Finding]:
    """The findings of a file, shown or not, that no probe refuted."""
    return sorted((f for f in [*result.findings, *result.suppressed] if not refuted(f)), key=order)


def predicted(result: FileResult, root: RootPlace) -> str:
    """`2 breaks · 3 graphs (predicted; 1 suppressed)`."""
    own = [f for f in foreseen(result) if root.label in f.roots]
    parts: list[str] = []
    counting: list[Finding] = []

    def having(outcome: Outcome) -> list[Finding]:
        found = [f for f in own if any(f.outcomes.get(name) == outcome for name in root.frontends)]
        counting.extend(found)
        return found

    if wrong := having("silently_wrong"):
        parts.append("silently wrong" if len(wrong) == 1 else f"silently wrong at {len(wrong)} places")
    if refusals := having("refused"):
        parts.append(counted(len(refusals), "refusal"))
    if having("skipped_frame"):
        parts.append("runs eagerly")
    elif breaks := having("graph_break"):
        parts += [counted(len(breaks), "break"), counted(len(breaks) + 1, "graph")]
    if not parts and having("recompiles"):
        parts.append("recompiles")
    if not parts:
        return "no break predicted" if set(root.frontends) & DYNAMO_FAMILY else "no problem predicted"
    return f"{' · '.join(parts)} (predicted{_suppressed(result, counting)})"


def _suppressed(result: FileResult, findings: list[Finding]) -> str:
    hidden = {f.key for f in result.suppressed}
    keys = {f.key for f in findings}
    count = len(keys & hidden)
    if not count:
        return ""
    return "; suppressed" if count == len(keys) else f"; {count} suppressed"


def doubts(result: FileResult, function: Function) -> str:
    """Why a break may be missed in a function that none is predicted in; empty if there is nothing to say."""
    parts = []
    if names := _unannotated(function):
        what = ", ".join(map(markdown.code, names))
        parts.append(
            f"An annotation of {what}, or a call in this file, tells the analysis what is passed; without one, breaks "
            "may be missed."
        )
    if result.partial:
        parts.append("The configuration leaves rules out, whose breaks are not looked for.")
    return "\n\n".join(parts)


def _unannotated(function: Function) -> list[str]:
    """The parameters that nothing in the signature tells the kind of."""
    if not isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    given = function.node.args
    ordered = [*given.posonlyargs, *given.args]
    without = ordered[: len(ordered) - len(given.defaults)]
    if "." in function.name:
        without = without[1:]
    without += [a for a, default in zip(given.kwonlyargs, given.kw_defaults) if default is None]
    return [a.arg for a in without if a.annotation is None]
