"""The cells of a notebook: each a text of its own to the client, together one module to the analyzer.

Places of findings are lines of the module; positions are the client's, in a cell. `ModuleText` is the way between them,
so that whoever makes positions of places need not know that there are cells.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.finding import FileError
from capture_lsp import notebook
from capture_lsp.server.documents import Encoding, Text

_CELL = re.compile(r"cell (\d+): ")


@dataclass(frozen=True)
class Cell:
    """One version of a cell. `code`: it is no Markdown."""

    uri: str
    version: int
    text: Text
    language: str
    code: bool = True

    @property
    def python(self) -> bool:
        return self.code and self.language == "python"


@dataclass(frozen=True)
class ModuleText(Text):
    """One version of a notebook. `text`: what its Python cells hold, in order; `cells`: all of them."""

    cells: tuple[Cell, ...] = ()

    @staticmethod
    def of(cells: tuple[Cell, ...], encoding: Encoding) -> ModuleText:
        """The module of some cells."""
        sources = [cell.text.plain for cell in cells if cell.python]
        return ModuleText("\n".join([*sources, ""]), encoding, cells)

    @cached_property
    def raw(self) -> bytes:
        """A notebook file that holds these cells; `capture_lsp.notebook` reads it as it reads any."""
        cells = [
            {"cell_type": "code" if cell.python else "raw", "source": cell.text.plain if cell.python else ""}
            for cell in self.cells
        ]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()

    @cached_property
    def module(self) -> notebook.Notebook:
        """The module, with the magics taken out."""
        return notebook.parse("", self.raw.decode())

    @cached_property
    def plain(self) -> str:
        return self.module.text

    @cached_property
    def _placed(self) -> list[tuple[int, Cell]]:
        """The first line, 1-based, of each Python cell."""
        found = []
        line = 1
        for cell in self.cells:
            if cell.python:
                found.append((line, cell))
                line += len(cell.text.starts)
        return found

    def cell_at(self, line: int) -> tuple[int, Cell] | None:
        """The cell of a line and its first line."""
        index = bisect_right([first for first, _ in self._placed], line) - 1
        return self._placed[max(index, 0)] if self._placed else None

    def text_of(self, uri: str) -> Text:
        """The text of a cell; an empty one for what is none."""
        return next((cell.text for cell in self.cells if cell.uri == uri), Text("", self.encoding))

    def errors_of(self, uri: str, errors: Iterable[FileError]) -> list[FileError]:
        """Of a notebook's errors, those of a cell; what names no cell is told in the first."""
        found = []
        index = next((number for number, cell in enumerate(self.cells, 1) if cell.uri == uri), 0)
        first = next((number for number, cell in enumerate(self.cells, 1) if cell.python), 0)
        for error in errors:
            named = _CELL.match(error.message)
            if named is not None and int(named[1]) == index:
                found.append(replace(error, message=error.message[named.end() :]))
            elif named is None and index == first:
                found.append(replace(error, line=1))
        return found

    def number(self, line: int) -> int:
        """Which of all cells a line is in, 1-based."""
        found = self.cell_at(line)
        return self.cells.index(found[1]) + 1 if found is not None else 1

    def position(self, line: int, column: int) -> tuple[int, int]:
        found = self.cell_at(line)
        return (0, 0) if found is None else found[1].text.position(line - found[0] + 1, column)

    def place_in(self, uri: str, line: int, character: int) -> tuple[int, int]:
        for first, cell in self._placed:
            if cell.uri == uri:
                there, column = cell.text.place(line, character)
                return first - 1 + min(there, len(cell.text.starts)), column
        return 0, 0  # a cell that is no Python: nothing stands there

    def owner(self, line: int, uri: str) -> str:
        found = self.cell_at(line)
        return uri if found is None else found[1].uri

    def owners(self, uri: str, version: int) -> list[tuple[str, int]]:
        return [(cell.uri, cell.version) for cell in self.cells if cell.python]
