"""A line that somebody is still typing, brought to an end: what is open is closed, what dangles is left off."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CLOSING = {"(": ")", "[": "]", "{": "}"}
#: What wants something behind it.
_DANGLING = re.compile(r"(?:[\s.,+\-*/%@&|^<>=!~:\\]|\b(?:and|or|not|in|is|if|else|for|lambda|await)\b)+$")


def finished(line: str, header: bool) -> Iterator[str]:
    """The ways to end a line, the one that changes least first. `header`: a block of lines stands below it."""
    scanned = _scan(line)
    if scanned is None:
        return
    code, quote, open_ = scanned
    colon = ":" if header else ""
    if open_ or quote:
        whole = code + quote if quote else code.rstrip()
        yield whole + open_ + ("" if whole.endswith(":") and not open_ else colon)
    if not quote:
        shorter = _DANGLING.sub("", code)
        if shorter.strip() and shorter != code.rstrip(" "):
            yield shorter + open_ + colon
            if "," in code[len(shorter) :]:
                yield shorter + open_ + ","  # an argument in its own line


def _scan(line: str) -> tuple[str, str, str] | None:
    """The code of a line without its comment, the quote that its last string lacks, and the brackets that it lacks.

    None for a line with a string of several lines, which may begin or end there."""
    if '"""' in line or "'''" in line:
        return None
    brackets: list[str] = []
    quote = ""
    index = 0
    while index < len(line):
        character = line[index]
        if quote:
            if character == "\\":
                index += 1
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "#":
            return line[:index], "", _closing(brackets)
        elif character in _CLOSING:
            brackets.append(character)
        elif brackets and character == _CLOSING[brackets[-1]]:
            brackets.pop()
        index += 1
    if quote and line.endswith("\\"):
        return None
    return line, quote, _closing(brackets)


def _closing(brackets: list[str]) -> str:
    return "".join(_CLOSING[bracket] for bracket in reversed(brackets))
