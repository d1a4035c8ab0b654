"""Programs with accidents: lines and tokens of real ones deleted, doubled, swapped or put elsewhere, by a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
#: What people leave behind while they type, and what only an accident writes.
_STRAY = (
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    "=",
    ",",
    ".",
    "'",
    '"""',
    'f"{',
    "\\",
    "\t",
    "\x0c",
    "@",
    "*",
    "**",
    "->",
    "if",
    "for",
    "def f(",
    "class",
    "lambda:",
    "self",
    "await ",
    "yield ",
    "return",
    "global x",
    "del ",
    "not ",
    ":=",
    "é😀",
    "# ",
    "0x",
    "1e999",
    "...",
    "with ",
    "try:",
    "import ",
    "match x:",
    "type X = ",
    "async ",
    "else",
    "None",
    "super()",
    "x",
    "0",
)


def mutant(text: str, seed: int, donors: Sequence[str] = ()) -> str:
    """`text` after one to four accidents; `donors` are other texts that lines may come from."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        text = chance.choice((_lines, _lines, _tokens, _tokens, _tokens))(text, chance, donors)
    return text


def _lines(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    span = chance.choice((1, 1, 1, 2, 5))
    what = chance.randrange(6)
    if what == 0:
        del lines[at : at + span]
    elif what == 1:
        lines[at:at] = lines[at : at + span]
    elif what == 2:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif what == 3:
        source = chance.choice(donors).split("\n") if donors else lines
        start = chance.randrange(len(source))
        lines[at:at] = source[start : start + span]
    elif what == 4:
        lines[at] = chance.choice(("", " ", "    ", "\t")) + lines[at]
    else:
        lines[at] = lines[at][chance.randint(0, len(lines[at])) :]
    return "\n".join(lines)


def _tokens(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    at = chance.randrange(len(tokens))
    what = chance.randrange(5)
    if what == 0:
        del tokens[at]
    elif what == 1:
        tokens.insert(at, tokens[at])
    elif what == 2:
        tokens.insert(at, chance.choice(_STRAY))
    elif what == 3:
        tokens[at] = chance.choice(tokens)
    else:
        words = [i for i, token in enumerate(tokens) if token.isidentifier()]
        if len(words) > 1:
            first, second = chance.sample(words, 2)
            tokens[first] = tokens[second]
    return "".join(tokens)
