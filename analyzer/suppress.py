"""Suppression comments: `# capture: ignore[CAP101]` on a line or a function's `def`, `# capture: ignore-file`.

A comment holds for its whole logical line, however many lines that spans; on a `def` line for the function's body as
well. Behind it may stand until when it holds and why: `until=torch>=2.15 -- reason`. Each suppression that suppresses
nothing is itself a finding, CAP001, and so is one whose time is over, CAP002.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzer.finding import Edit, Finding, Fix
from analyzer.source import tokens

UNUSED_SUPPRESSION, EXPIRED_SUPPRESSION = "CAP001", "CAP002"
#: The codes of findings about suppression comments: nothing suppresses these.
ABOUT_SUPPRESSIONS = frozenset({UNUSED_SUPPRESSION, EXPIRED_SUPPRESSION})

_COMMENT = re.compile(r"#\s*capture:\s*ignore(?P<file>-file)?(?![\w-])(?:\[(?P<codes>[^\]\n]*)\])?")
_ANOTHER = re.compile(r"#(?!\d)")  # `#123` is an issue
_UNTIL = re.compile(r"\s*until\s*=(?:\s*(?!--)(?P<term>[^\s#]+))?")
_TERM = re.compile(r"torch>=(\d+)\.(\d+)(?:\.\d+)?")
_INDENT = re.compile(r"[ \t]*")


class UnusedSuppression:
    """A `# capture: ignore` comment suppresses nothing.

    What it does
        Reports each suppression comment, or each code of one, that no finding of this run needed.

    Why it matters
        A suppression that outlives its reason hides the next graph break on the same line.

    Example
        y = x + 1  # capture: ignore[CAP101]

    Use instead
        y = x + 1

    Fix safety
        Safe: only the comment goes.

    References
        docs/suppressions.md
    """

    code = UNUSED_SUPPRESSION
    name = "unused-suppression"
    outcomes: dict[str, str] = {}
    graph_breaks: tuple[str, ...] = ()
    examples: tuple[object, ...] = ()
    default = True


class ExpiredSuppression:
    """A `# capture: ignore` comment was to hold until a torch release that is there now.

    What it does
        Reports each suppression comment whose `until=torch>=VERSION` is reached by the torch that is judged by, and
        each `until=` that cannot be read. An expired comment suppresses nothing; one that cannot be read still does.

    Why it matters
        The comment says that the finding should be looked at again with this release.

    Example
        y = x.item()  # capture: ignore[CAP110] until=torch>=2.6 -- waits for scalar outputs

    Use instead
        y = x.item()

    Fix safety
        Safe: only the comment goes.

    References
        docs/suppressions.md
    """

    code = EXPIRED_SUPPRESSION
    name = "expired-suppression"
    outcomes: dict[str, str] = {}
    graph_breaks: tuple[str, ...] = ()
    examples: tuple[object, ...] = ()
    default = True


@dataclass
class Suppression:
    """One comment and the lines it holds for. `codes` is None where it holds for every code. `term`: what `until=`
    says, `until`: the torch release that this is, if it can be read."""

    line: int
    start: int  #: 0-based column of the comment's `#`
    end: int
    codes: tuple[str, ...] | None
    first: int
    last: int
    used: set[str] = field(default_factory=set)
    term: str | None = None
    until: tuple[int, int] | None = None
    reason: str = ""

    def expired(self, torch: tuple[int, int] | None) -> bool:
        """Whether it holds no longer when judged by this torch; None: it is not known which."""
        return self.until is not None and torch is not None and torch >= self.until

    def covers(self, finding: Finding) -> bool:
        if not self.first <= finding.line <= self.last:
            return False
        return self.codes is None or finding.code in self.codes or finding.name in self.codes


def suppress(
    path: str,
    text: str,
    findings: Sequence[Finding],
    judged: Callable[[str], bool] | None = None,
    known: Callable[[str], bool] = lambda code: True,
    torch: tuple[int, int] | None = None,
    terms: bool = True,
) -> list[Finding]:
    """The findings of one file that no comment suppresses, and one for each unused or expired suppression.

    `judged` says whether a code was looked for at all: only such a code can be called unused. Without it, unused
    suppressions are not reported. `known` says whether a code or name is one at all. `torch`: the release judged by;
    `terms`: whether expired suppressions are reported.
    """
    suppressions = find(text)
    if not suppressions:
        return list(findings)
    lines = text.split("\n")
    over = [s for s in suppressions if s.term is not None and (s.until is None or s.expired(torch))]
    kept = []
    for finding in findings:
        covering = [s for s in suppressions if s.covers(finding) and not s.expired(torch)]
        if covering:
            # The narrowest one did it; a wider one may turn out to be needed for nothing.
            narrowest = min(covering, key=lambda s: s.last - s.first)
            narrowest.used.update((finding.code, finding.name))
        else:
            kept.append(finding)
    if judged is not None:
        for suppression in suppressions:
            unused = None if suppression.expired(torch) else _unused(path, lines, suppression, judged, known)
            if unused is not None:
                kept.append(unused)
    if torch is not None and terms:
        kept += [_expired(path, lines, suppression, torch) for suppression in over]
    return kept


def find(text: str) -> list[Suppression]:
    """Every suppression comment of a file; comments inside strings are none."""
    if "capture:" not in text:
        return []
    rows: list[Suppression] = []
    for token, first, last in _comments(text):
        match = _COMMENT.search(token.string)
        if match is None:
            continue
        codes = match["codes"]
        column = token.start[1] + match.start()
        # Text after the suppression is its reason; another comment after it is not.
        following = _ANOTHER.search(token.string, match.end())
        end = token.start[1] + (following.start() if following is not None else len(token.string))
        term, reason = _told(token.string[match.end() : end - token.start[1]])
        release = None if term is None else _TERM.fullmatch(term)
        rows.append(
            Suppression(
                line=token.start[0],
                start=column,
                end=end,
                codes=None if codes is None else tuple(c.strip() for c in codes.split(",") if c.strip()),
                first=1 if match["file"] else first,
                last=10**9 if match["file"] else last,
                term=term,
                until=None if release is None else (int(release[1]), int(release[2])),
                reason=reason,
            )
        )
    return rows


def is_reason(text: str) -> bool:
    """Whether a text can stand behind `--` in a comment."""
    return text.isprintable() and bool(text.strip()) and _ANOTHER.search(text) is None


def _told(text: str) -> tuple[str | None, str]:
    """(what `until=` says, the reason) of the text behind a suppression's codes."""
    until = _UNTIL.match(text)
    rest = text[until.end() :] if until is not None else text
    return (None if until is None else until["term"] or ""), rest.strip().removeprefix("--").strip()


def _comments(text: str) -> list[tuple[tokenize.TokenInfo, int, int]]:
    """Each comment with the first and last line that a suppression in it holds for."""
    found: list[tuple[tokenize.TokenInfo, int, int]] = []
    lines = text.split("\n")
    pending: list[tokenize.TokenInfo] = []
    first = 0
    header = False

    def close(last: int) -> None:
        for token in pending:
            found.append((token, first, _block_end(lines, first, last) if header else last))
        pending.clear()

    previous = ""
    try:
        for token in tokens(text):
            if token.type == tokenize.COMMENT:
                if first:
                    pending.append(token)
                else:  # a line of its own
                    found.append((token, token.start[0], token.start[0]))
            elif token.type == tokenize.NEWLINE:
                close(token.start[0])
                first, header, previous = 0, False, ""
            elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                if not first:
                    first = token.start[0]
                    header = token.string == "def"
                    previous = token.string
                elif previous == "async" and token.string == "def":
                    header, previous = True, ""
    except (tokenize.TokenError, SyntaxError, ValueError):
        if first:
            close(max((token.start[0] for token in pending), default=first))
    return found


def _block_end(lines: Sequence[str], first: int, last: int) -> int:
    """The last line of the block whose header stands on the lines `first` to `last`."""
    width = _width(lines[first - 1])
    end = last
    for number in range(last + 1, len(lines) + 1):
        line = lines[number - 1]
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            if _width(line) <= width:
                break
            end = number
    return end


def _width(line: str) -> int:
    match = _INDENT.match(line)
    return len(match[0].expandtabs()) if match else 0


def _explained(unused: Sequence[str], known: Callable[[str], bool]) -> str:
    """What is wrong with the codes of a comment that suppress nothing."""
    strange = [c for c in unused if not known(c)]
    others = [c for c in unused if known(c)]
    parts = [f"unknown code {', '.join(strange)}"] if strange else []
    if others or not unused:
        parts.append(f"nothing to suppress here: {', '.join(others) or 'no code named'}")
    return "; ".join(parts)


def _unused(
    path: str, lines: Sequence[str], found: Suppression, judged: Callable[[str], bool], known: Callable[[str], bool]
) -> Finding | None:
    if found.codes is None:
        if found.used:
            return None
        message, fix = "this suppression suppresses nothing", _removal(path, lines, found)
    else:
        unused = [c for c in found.codes if c not in found.used and judged(c)]
        if found.codes and not unused:
            return None
        if len(unused) == len(found.codes):
            message, fix = _explained(unused, known), _removal(path, lines, found)
        else:
            message = _explained(unused, known)
            kept = ", ".join(c for c in found.codes if c not in unused)
            line = lines[found.line - 1]
            opened = line.index("[", found.start)
            fix = _edit(path, found.line, opened + 1, line.index("]", opened), kept)
    fixes = (Fix("remove the unused suppression", "safe", (fix,)),)
    return _finding(UnusedSuppression, path, lines, found, message, fixes)


def _expired(path: str, lines: Sequence[str], found: Suppression, torch: tuple[int, int]) -> Finding:
    if found.until is None:
        message = f"cannot read until={found.term}: write until=torch>=2.15"
        return _finding(ExpiredSuppression, path, lines, found, message, ())
    release, now = (".".join(map(str, version)) for version in (found.until, torch))
    message = f"this suppression was to hold until torch {release}; the torch judged by is {now}"
    fixes = (Fix("remove the expired suppression", "safe", (_removal(path, lines, found),)),)
    return _finding(ExpiredSuppression, path, lines, found, message, fixes)


def _finding(
    rule: type[UnusedSuppression | ExpiredSuppression],
    path: str,
    lines: Sequence[str],
    found: Suppression,
    message: str,
    fixes: tuple[Fix, ...],
) -> Finding:
    """A finding about a comment, marked as far as the comment goes."""
    return Finding(
        code=rule.code,
        name=rule.name,
        path=path,
        line=found.line,
        column=found.start + 1,
        end_line=found.line,
        end_column=len(lines[found.line - 1][: found.end].rstrip()) + 1,
        message=message,
        function="",
        outcomes={},
        severity="warning",
        fixes=fixes,
    )


def _removal(path: str, lines: Sequence[str], found: Suppression) -> Edit:
    """Take the comment away: with the space before it, or with its line if it has one to itself."""
    line = lines[found.line - 1]
    if not line[: found.start].strip() and not line[found.end :].strip() and found.line < len(lines):
        return Edit(path, found.line, 1, found.line + 1, 1, "")
    if line[found.end :].strip():  # another comment follows
        return _edit(path, found.line, found.start, found.end, "")
    return _edit(path, found.line, len(line[: found.start].rstrip()), len(line), "")


def _edit(path: str, line: int, start: int, end: int, text: str) -> Edit:
    return Edit(path, line, start + 1, line, end + 1, text)
