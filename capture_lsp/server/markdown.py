"""Markdown for hovers: text that stays text, tables, links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from capture_lsp.formats.style import printable

_PIPE = re.compile(r"(?<!\\)\|")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def plain(text: str) -> str:
    """Text in which nothing is markup."""
    return _SPECIAL.sub(r"\\\1", printable(text))


def code(text: str) -> str:
    """Text as code, whatever it holds."""
    shown = printable(" ".join(text.split()))
    fence = "`" * (max((len(run) for run in re.findall(r"`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}" if shown else ""


def link(text: str, uri: str) -> str:
    """A link. Parentheses and spaces in the address would end it."""
    return f"[{plain(text)}]({quote(uri, safe=':/?#[]@!$&+,;=%~')})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells that are Markdown already; columns that are empty throughout are left out."""
    used = [c for c in range(len(head)) if any(row[c] for row in rows)]

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(_PIPE.sub(r"\|", row[c].replace("\n", " ")) for c in used) + " |"

    return [line(head), "|" + " --- |" * len(used), *map(line, rows)]


def without_markup(text: str) -> str:
    """For a client that shows plain text alone."""
    text = re.sub(r"\[((?:[^\]\\]|\\.)*)\]\(([^)]*)\)", r"\1", text)
    text = re.sub(r"^\|(?: --- \|)+\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\\)(\*\*|`)", "", text)
    return re.sub(r"\\(.)", r"\1", text)
