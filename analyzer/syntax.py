"""Text to `ast`, with recovery: a broken function costs that function alone.

The running Python's `ast` does the parsing. Syntax that is newer than the running Python is first downlevelled through
libcst (`analyzer.downlevel`), in place, so that every position stays true. What neither accepts is blanked out region
by
region, innermost `def` first, and reported once.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from analyzer.finding import FileError
from analyzer.source import SourceText

MAX_BROKEN_REGIONS = 20
_HEADER = re.compile(r"^(\s*)(?:async\s+def|def|class)\b")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A tree of everything that parses, and one error for each region that does not."""

    tree: ast.Module
    errors: tuple[FileError, ...] = ()


def parse(source: SourceText) -> Parsed | FileError:
    """Parse a file; only a file that is too deeply nested, or of which nothing parses, is an error as a whole."""
    text = source.text
    try:
        return Parsed(_parse(text))
    except (RecursionError, MemoryError):
        return FileError(source.path, 1, "nested", "the code is nested too deeply to be parsed")
    except (SyntaxError, ValueError) as error:
        first = error
    from analyzer.downlevel import downlevel

    lowered = downlevel(text)
    if lowered is not None:
        try:
            return Parsed(_parse(lowered))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return _parse_regions(source, lowered or text, first)


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _parse_regions(source: SourceText, text: str, error: Exception) -> Parsed | FileError:
    lines = text.split("\n")
    errors: list[FileError] = []
    for _ in range(MAX_BROKEN_REGIONS):
        line = min(max(getattr(error, "lineno", None) or 1, 1), len(lines))
        reason = getattr(error, "msg", None) or str(error)
        errors.append(FileError(source.path, line, "syntax", f"{reason} (only this part is left out)"))
        for blank in (_blank_function, _blank_block):
            attempt = blank(lines, line)
            if attempt is None:
                continue
            try:
                tree = _parse("\n".join(attempt))
            except (RecursionError, MemoryError):
                return FileError(source.path, line, "nested", "the code is nested too deeply to be parsed")
            except (SyntaxError, ValueError) as again:
                if (getattr(again, "lineno", None) or 1) != line or blank is _blank_block:
                    lines, error = attempt, again
                    break
            else:
                return Parsed(tree, tuple(errors))
        else:
            break
    first = errors[0]
    return FileError(source.path, first.line, "syntax", first.message.replace(" (only this part is left out)", ""))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _blank_function(lines: list[str], line: int) -> list[str] | None:
    """Replace the body of the innermost def or class whose header stands above `line` by `pass`."""
    index = line - 1
    width = _indent(lines[index]) if lines[index].strip() else None
    for start in range(index, -1, -1):
        match = _HEADER.match(lines[start])
        if match and (width is None or len(match.group(1)) < width or start == index):
            return _replace_block(lines, start, len(match.group(1)))
    return None


def _blank_block(lines: list[str], line: int) -> list[str] | None:
    """Replace the top-level statement around `line` by `pass`."""
    start = line - 1
    while start > 0 and (not lines[start].strip() or lines[start][0] in " \t)]}#"):
        start -= 1
    if lines[start].strip() == "pass":
        return None
    return _replace_block(lines, start, 0)


def _replace_block(lines: list[str], start: int, indent: int) -> list[str]:
    end = start + 1
    while end < len(lines):
        text = lines[end]
        if text.strip() and _indent(text) <= indent and text.lstrip()[0] not in ")]}#":
            break
        end += 1
    blanked = [" " * indent + "pass"] + [""] * (end - start - 1)
    return lines[:start] + blanked + lines[end:]
