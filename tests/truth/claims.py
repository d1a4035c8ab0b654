"""Rules' examples as work for the judge, and what a rule claims compared with what PyTorch did. Needs no torch."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.outcome import BAD, Frontend, Outcome
from analyzer.rule import Bad, Good, Rule

TORCH = (2, 13)
#: Frontends that a machine without a GPU can judge.
JUDGED: tuple[Frontend, ...] = ("dynamo", "fullgraph", "trace", "fx", "script", "export", "triton")
_MARK = re.compile(r"#\s*((?:CAP\d+)(?:\s*,\s*CAP\d+)*)\s*$")


@dataclass(frozen=True)
class Case:
    """One example of one rule."""

    rule: type[Rule]
    kind: str
    number: int
    example: Bad | Good

    @property
    def name(self) -> str:
        return f"{self.rule.code}-{self.kind}{self.number}"

    @property
    def claims(self) -> dict[Frontend, Outcome]:
        """What is claimed for this example, as far as the judge can tell."""
        claimed = dict(self.example.outcomes)
        if isinstance(self.example, Bad):
            claimed = self.rule.claims(TORCH) | claimed
        return {f: claimed[f] for f in JUDGED if claimed.get(f, "unknown") != "unknown"}

    @property
    def target(self) -> tuple[int, int]:
        """The release for which the analyzer flags the marked lines."""
        return (self.example.target if isinstance(self.example, Bad) else None) or TORCH

    @property
    def predictions(self) -> dict[Frontend, Outcome]:
        """What the analyzer must say of this example for its target."""
        if self.target == TORCH:
            return self.claims
        return {f: o for f, o in self.rule.claims(self.target).items() if f in JUDGED}

    @property
    def marked(self) -> list[int]:
        """Lines that end in a comment with the rule's code."""
        found = []
        for number, line in enumerate(self.example.source.splitlines(), 1):
            mark = _MARK.search(line)
            if mark and self.rule.code in mark.group(1):
                found.append(number)
        return found

    def request(self) -> dict[str, Any]:
        """What the judge is asked; a fixed version is compared and judged along."""
        example = self.example
        return {
            "source": example.source,
            "entry": example.entry,
            "inputs": example.inputs,
            "variants": list(example.variants),
            "frontends": list(self.claims),
        }

    def fixed_request(self, frontends: Sequence[str], fixed: str) -> dict[str, Any]:
        """The program after the fix, judged, and compared without capture with the program before it."""
        return {**self.request(), "frontends": [*frontends, "same"], "other": self.example.source, "source": fixed}


def cases_of(rules: Sequence[type[Rule]]) -> list[Case]:
    """Every example of the rules, bad and good ones numbered apart."""
    cases = []
    for rule in rules:
        count = {"bad": 0, "good": 0}
        for example in rule.examples:
            kind = "bad" if isinstance(example, Bad) else "good"
            count[kind] += 1
            cases.append(Case(rule, kind, count[kind], example))
    return cases


def without_marks(source: str) -> str:
    """The program without the comments that mark lines."""
    return "\n".join(_MARK.sub("", line).rstrip() for line in source.splitlines()).strip()


def root_of(entry: str, source: str) -> str | None:
    """The qualified name of the function that an entry expression captures: `fn`, `Net(3)` or `Net(3).encode`."""
    try:
        node = ast.parse(entry.strip(), mode="eval").body
        module = ast.parse(source)
    except SyntaxError:
        return None
    defined = {n.name: n for n in module.body if isinstance(n, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))}
    method = "forward"
    if isinstance(node, ast.Tuple) and node.elts:
        node = node.elts[0]
    if isinstance(node, ast.Attribute):
        method, node = node.attr, node.value
    if isinstance(node, ast.Call):
        node = node.func
    if not isinstance(node, ast.Name) or node.id not in defined:
        return None
    return f"{node.id}.{method}" if isinstance(defined[node.id], ast.ClassDef) else node.id


def head_lines(node: ast.stmt) -> range:
    """The lines of a statement; of a compound statement only its head, with decorators."""
    begin = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    end = node.end_lineno or node.lineno
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        end = max(node.lineno, body[0].lineno - 1)
    return range(begin, end + 1)


def statement_lines(source: str, line: int) -> set[int]:
    """The lines of the smallest statement around a line, as `head_lines` has them."""
    around = [head_lines(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    smallest = min((lines for lines in around if line in lines), key=len, default=range(line, line + 1))
    return set(smallest)


def enclosing(source: str, line: int, *kinds: type[ast.stmt]) -> list[ast.stmt]:
    """Statements of some kinds whose body holds a line."""
    return [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, kinds) and node.lineno < line <= (node.end_lineno or node.lineno)
    ]


def may_resume(case: Case) -> bool:
    """Whether no marked line stands in a loop, `try` or `with`, where a break always costs the whole frame.

    Elsewhere it does so only if Dynamo has no point before it from which to go on, which a rule cannot know.
    """
    blocks = (ast.For, ast.While, ast.Try, ast.With)
    return not any(enclosing(case.example.source, line, *blocks) for line in case.marked)


def borne_out(claim: Outcome, verdict: Mapping[str, Any]) -> bool:
    """Whether PyTorch did what is claimed.

    A capture that only loses a side effect on state, with right results, may be called captured or silently wrong. If a
    function has a graph before the break and runs eagerly from there on, either word is right.
    """
    if claim == verdict["outcome"]:
        return True
    if verdict["outcome"] == "silently_wrong" and claim == "captured":
        return not verdict["bad_calls"] and bool(verdict["lost"])
    if verdict["outcome"] == "skipped_frame" and claim == "graph_break":
        return all(b["skips"] != "function" for b in verdict["breaks"])
    return False


def mismatches(case: Case, verdicts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What is claimed and not so, one text each."""
    found = []
    for frontend, claim in case.claims.items():
        verdict = verdicts[frontend]
        if not borne_out(claim, verdict):
            found.append(f"{frontend}: claimed {claim}, PyTorch: {told(verdict)}")
    triton = verdicts.get("triton")
    if triton and triton["outcome"] == "refused" and case.claims.get("triton") == "refused" and triton["lines"]:
        source = case.example.source
        marked = {line for mark in case.marked for line in statement_lines(source, mark)}
        heads = {n for mark in case.marked for f in enclosing(source, mark, ast.FunctionDef) for n in head_lines(f)}
        if not (marked | heads) & set(triton["lines"]):  # some errors stand at the `def` of the kernel
            found.append(f"triton: refused at {triton['lines']}, not on a marked line {case.marked}")
    dynamo = verdicts.get("dynamo")
    if isinstance(case.example, Bad) and dynamo and case.claims.get("dynamo") in ("graph_break", "skipped_frame"):
        found += _misplaced(case, dynamo["breaks"])
    return found


def _misplaced(case: Case, breaks: Sequence[Mapping[str, Any]]) -> list[str]:
    """A break must lie on a marked line and carry one of the rule's ids."""
    marked = {line for mark in case.marked for line in statement_lines(case.example.source, mark)}
    there = [b for b in breaks if marked & set(b["lines"])]
    seen = ", ".join(f"{' '.join(b['ids']) or 'no id'} at {b['lines'] or 'no line'}" for b in breaks)
    if breaks and not there:
        return [f"dynamo: no break on a marked line {case.marked}; breaks: {seen}"]
    ids = set(case.rule.graph_breaks)
    if there and ids and not ids & {i for b in there for i in b["ids"]}:
        return [f"dynamo: the break carries none of {sorted(ids)}; breaks: {seen}"]
    return []


def told(verdict: Mapping[str, Any]) -> str:
    """A verdict in one line."""
    parts = [str(verdict["outcome"])]
    if verdict.get("lines"):
        parts.append(f"at {', '.join(map(str, verdict['lines']))}")
    if verdict.get("ids"):
        parts.append(" ".join(verdict["ids"]))
    if verdict.get("message"):
        parts.append(f"({str(verdict['message'])[:240]})")
    return " ".join(parts)


def numbered(source: str) -> str:
    """The program with line numbers, for a message."""
    return "\n".join(f"{n:4} | {line}" for n, line in enumerate(source.splitlines(), 1))


def bad_claims(case: Case) -> list[Frontend]:
    """Frontends under which the example is claimed to go wrong."""
    return [f for f, o in case.claims.items() if o in BAD]
