"""Notebooks: the code cells as one module, in order, and the way back from its lines to the cells.

Magics and shell lines are neutralised so that every other position stays true. A cell that still does not parse is
left out by itself.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from analyzer.finding import FileError

#: Cell magics whose body is Python that runs in the notebook's own process.
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "lprun"})
_ASSIGNED = re.compile(r"^(\s*[\w.,\[\] \t()'\"]+?=\s*)[%!]")
_INDENT = re.compile(r"\s*")
_STRING = re.compile(r"[a-zA-Z]{0,2}('''|\"\"\"|'|\")")


@dataclass(frozen=True)
class Cell:
    """A code cell: its 1-based index among all cells, and the lines it fills in the module."""

    index: int
    first: int
    count: int


@dataclass(frozen=True)
class Notebook:
    """A notebook as a module."""

    text: str
    cells: tuple[Cell, ...]
    errors: tuple[FileError, ...]


class NotANotebook(ValueError):
    """The file is not a notebook of format 4; the text says why."""


def parse(path: str, raw: str) -> Notebook:
    """Read a notebook. Raises NotANotebook."""
    document = load(raw)
    metadata = document.get("metadata", {})
    language = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language", "python")
    lines: list[str] = []
    cells: list[Cell] = []
    errors: list[FileError] = []
    if str(language).lower() not in ("python", "python3", "ipython"):
        return Notebook("", (), ())
    for index, cell in enumerate(document["cells"], 1):
        if cell.get("cell_type") != "code":
            continue
        source = cell_source(cell)
        body, error = neutralise(source)
        if error is not None:
            number, reason = error
            errors.append(FileError(path, number, "syntax", f"cell {index}: {reason} (only this cell is left out)"))
        added = body.split("\n")
        cells.append(Cell(index, len(lines) + 1, len(added)))
        lines += added
    return Notebook("\n".join([*lines, ""]), tuple(cells), tuple(errors))


def load(raw: str) -> dict[str, Any]:
    """The JSON document. Raises NotANotebook."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise NotANotebook(f"not a notebook: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise NotANotebook("not a notebook: no list of cells")
    if not all(isinstance(cell, dict) for cell in document["cells"]):
        raise NotANotebook("not a notebook: a cell is no object")
    if not isinstance(document.get("metadata", {}), dict):
        raise NotANotebook("not a notebook: its metadata are no object")
    return document


def cell_source(cell: dict[str, Any]) -> str:
    """A cell's text, which the format allows to be one string or a list of them."""
    source = cell.get("source", "")
    text = "".join(str(part) for part in source) if isinstance(source, list) else str(source)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def locate(cells: tuple[Cell, ...], line: int) -> tuple[int, int]:
    """The (cell, line in it) of a line of the module."""
    if not cells:
        return 1, line
    position = max(bisect_right([cell.first for cell in cells], line) - 1, 0)
    return cells[position].index, line - cells[position].first + 1


def neutralise(source: str) -> tuple[str, tuple[int, str] | None]:
    """A cell as Python of the same lines and columns, and (line, reason) if it had to be left out."""
    if _parses(source) is None:
        return source, None
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].split(" ", 1)[0].strip()
        if name not in _PYTHON_CELLS:
            return "\n".join("" for _ in lines), None
        lines[first] = "pass"
    scanner = _Scanner()
    continued = False
    for number, line in enumerate(lines):
        if continued:
            continued = line.rstrip().endswith("\\")
            lines[number] = ""
            continue
        if scanner.at_statement:
            replaced = _without_magic(line)
            if replaced is not None:
                continued = line.rstrip().endswith("\\")
                lines[number] = replaced
                continue
        scanner.feed(line)
    text = "\n".join(lines)
    error = _parses(text)
    return (text, None) if error is None else ("\n".join("" for _ in lines), error)


def _without_magic(line: str) -> str | None:
    stripped = line.strip()
    indent = (_INDENT.match(line) or [""])[0]
    if stripped[:1] in ("%", "!", "?") or (stripped.endswith("?") and not stripped.startswith("#")):
        return indent + "pass"
    if (match := _ASSIGNED.match(line)) is not None:
        return match[1] + "None"
    return None


def _parses(text: str) -> tuple[int, str] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError as error:
            return error.lineno or 1, error.msg
        except (ValueError, RecursionError, MemoryError) as error:
            return 1, str(error) or type(error).__name__
    return None


class _Scanner:
    """Knows, line by line, whether the next line begins a statement or goes on inside brackets or a string."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._backslash = False

    @property
    def at_statement(self) -> bool:
        return not self._depth and not self._quote and not self._backslash

    def feed(self, line: str) -> None:
        position = 0
        self._backslash = False
        while position < len(line):
            if self._quote:
                end = self._string_end(line, position)
                if end < 0:
                    if len(self._quote) == 1 and not line.endswith("\\"):
                        self._quote = ""
                    return
                position, self._quote = end, ""
                continue
            character = line[position]
            if character == "#":
                return
            match = _STRING.match(line, position)
            if match:
                self._quote = match[1]
                position = match.end()
                continue
            if character in "([{":
                self._depth += 1
            elif character in ")]}":
                self._depth = max(0, self._depth - 1)
            position += 1
            if character.isalnum() or character == "_":
                while position < len(line) and (line[position].isalnum() or line[position] == "_"):
                    position += 1
        self._backslash = line.endswith("\\")

    def _string_end(self, line: str, position: int) -> int:
        while position < len(line):
            if line[position] == "\\":
                position += 2
            elif line.startswith(self._quote, position):
                return position + len(self._quote)
            else:
                position += 1
        return -1


def with_sources(raw: str, sources: dict[int, str]) -> str:
    """The notebook's JSON with the text of some cells (by index) replaced, formatted as it was."""
    document = load(raw)
    for index, source in sources.items():
        cell = document["cells"][index - 1]
        cell["source"] = re.findall(r"[^\n]*\n|[^\n]+", source) if isinstance(cell.get("source"), list) else source
    match = re.match(r"\s*\{(\r?\n)([ \t]+)", raw)
    indent: str | None = match[2] if match else None
    ascii_only = raw.isascii() and "\\u" in raw
    text = json.dumps(
        document,
        ensure_ascii=ascii_only,
        indent=indent,
        separators=(",", ": ") if indent is not None or '": ' in raw else (",", ":"),
    )
    if match and match[1] == "\r\n":
        text = text.replace("\n", "\r\n")
    return text + raw[len(raw.rstrip()) :]
