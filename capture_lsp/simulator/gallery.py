"""The gallery: short programs, each with something that captures lose or keep, to be simulated as they are.

They are files of the user's interpreter, found by their place; nothing here imports them.
"""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from functools import cache

import capture_lsp
from capture_lsp.errors import UserError

FOLDER = os.path.join(os.path.dirname(os.path.abspath(capture_lsp.__file__)), "gallery")

#: In the order in which they are best read.
ORDER = (
    "data_dependent_branch",
    "early_exit",
    "padding_mask",
    "expert_routing",
    "batch_loop",
    "frozen_length",
    "item_threshold",
    "print_in_loop",
    "recompile_storm",
    "traced_dropout",
    "cond_done_right",
    "symbolic_sizes",
)


@dataclass(frozen=True)
class Exhibit:
    """A program of the gallery. `teaching`: paragraphs with a blank line between them."""

    name: str
    title: str
    teaching: str
    path: str
    source: str


@cache
def exhibits() -> tuple[Exhibit, ...]:
    """All of them, in order."""
    return tuple(_read(name) for name in ORDER)


def exhibit(name: str) -> Exhibit:
    """One by its name. Raises UserError for a name that is not there."""
    for one in exhibits():
        if one.name == name:
            return one
    raise UserError(f"no program {name!r} in the gallery: one of {', '.join(ORDER)}")


def described(source: str) -> tuple[str, str]:
    """(title, teaching) of a program: the first line of its docstring, and the paragraphs after it; empty where it has
    none or does not parse."""
    try:
        text = ast.get_docstring(ast.parse(source)) or ""
    except (SyntaxError, ValueError, RecursionError):
        return "", ""
    title, _, rest = text.partition("\n")
    paragraphs = [" ".join(part.split()) for part in rest.split("\n\n")]
    return title.strip(), "\n\n".join(part for part in paragraphs if part)


def _read(name: str) -> Exhibit:
    path = os.path.join(FOLDER, f"{name}.py")
    with open(path, encoding="utf-8") as stream:
        source = stream.read()
    title, teaching = described(source)
    return Exhibit(name, title, teaching, path, source)
