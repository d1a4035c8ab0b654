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
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.finding import FileError
from analyzer.source import SourceText

MAX_BROKEN_REGIONS = 20
_LEFT_OUT = "(only this part is left out)"
_NESTED = "the code is nested too deeply to be parsed"
_TOP_LEVEL = re.compile(r"@|(?:async\s+def|def|class)\b")
_HEADER = re.compile(r"^(\s*)(?:async\s+def|def|class)\b")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A tree of everything that parses, and one error for each region that does not.

    `text`: what was parsed, line by line as long as the file; None if the parts of the file were parsed apart.
    """

    tree: ast.Module
    errors: tuple[FileError, ...] = ()
    text: str | None = None


def parse(source: SourceText) -> Parsed | FileError:
    """Parse a file; only one of which nothing parses is an error as a whole."""
    parsed = _parse_file(source)
    if isinstance(parsed, Parsed) and any(isinstance(stmt, ast.Return) for stmt in parsed.tree.body):
        return _without_returns(parsed, source.path)
    return parsed


def _parse_file(source: SourceText) -> Parsed | FileError:
    text = source.text
    try:
        return Parsed(parse_text(text), text=text)
    except (RecursionError, MemoryError):
        return _parse_apart(source.path, text.split("\n"), FileError(source.path, 1, "nested", _NESTED))
    except (SyntaxError, ValueError) as error:
        first = error
    from analyzer.downlevel import downlevel

    lowered = downlevel(text)
    if lowered is not None:
        try:
            return Parsed(parse_text(lowered), text=lowered)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return _parse_regions(source, lowered or text, first)


def _without_returns(parsed: Parsed, path: str) -> Parsed:
    """A `return` outside of functions, which `ast` lets pass, ends nothing: what stands after it is checked as well."""
    errors = list(parsed.errors)
    for index, stmt in enumerate(parsed.tree.body):
        if isinstance(stmt, ast.Return):
            errors.append(FileError(path, stmt.lineno, "syntax", f"'return' outside function {_LEFT_OUT}"))
            parsed.tree.body[index] = ast.copy_location(ast.Pass(), stmt)
    return Parsed(parsed.tree, tuple(errors), parsed.text)


def parse_text(text: str) -> ast.Module:
    """`ast.parse`, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _parse_regions(source: SourceText, text: str, error: Exception) -> Parsed | FileError:
    lines = text.split("\n")
    errors: list[FileError] = []
    for _ in range(MAX_BROKEN_REGIONS):
        line = min(max(getattr(error, "lineno", None) or 1, 1), len(lines))
        reason = getattr(error, "msg", None) or str(error)
        errors.append(FileError(source.path, line, "syntax", f"{reason} {_LEFT_OUT}"))
        for attempt in _attempts(lines, line):
            try:
                shorter = "\n".join(attempt)
                return Parsed(parse_text(shorter), tuple(errors), shorter)
            except (RecursionError, MemoryError):
                nested = FileError(source.path, line, "nested", _NESTED)
                return _parse_apart(source.path, attempt, nested)
            except (SyntaxError, ValueError) as again:
                if (getattr(again, "lineno", None) or 1) > line:
                    lines, error = attempt, again
                    break
        else:
            break
    return _parse_apart(source.path, text.split("\n"), errors[0])


def _parse_apart(path: str, lines: list[str], first: FileError) -> Parsed | FileError:
    """Parse each top-level definition and what stands between them alone, and keep what parses."""
    starts = [i for i, text in enumerate(lines) if _TOP_LEVEL.match(text) and not (i and lines[i - 1].startswith("@"))]
    body: list[ast.stmt] = []
    errors: list[FileError] = []
    for start, end in zip([0, *starts], [*starts, len(lines)]):
        try:
            tree = parse_text("\n".join(lines[start:end]))
        except (RecursionError, MemoryError):
            errors.append(FileError(path, start + 1, "nested", _NESTED))
        except (SyntaxError, ValueError) as error:
            line = start + min(max(getattr(error, "lineno", None) or 1, 1), end - start)
            errors.append(FileError(path, line, "syntax", f"{getattr(error, 'msg', None) or error} {_LEFT_OUT}"))
        else:
            ast.increment_lineno(tree, start)
            body += tree.body
            continue
        body += _imports(lines, start, end)
    if not body:
        return FileError(path, first.line, first.kind, first.message.replace(f" {_LEFT_OUT}", ""))
    return Parsed(ast.Module(body, []), tuple(errors[:MAX_BROKEN_REGIONS]) or (first,))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _imports(lines: list[str], start: int, end: int) -> Iterator[ast.stmt]:
    """The imports of one line in a part that does not parse: the other parts need the names."""
    for index in range(start, end):
        if lines[index].startswith(("import ", "from ")):
            try:
                tree = parse_text(lines[index])
            except (SyntaxError, ValueError):
                continue
            ast.increment_lineno(tree, index)
            yield from tree.body


def _attempts(lines: list[str], line: int) -> Iterator[list[str]]:
    """The text with what may be broken left out, the smallest and nearest first.

    What is not closed, a `try` or a header without its body, is noticed only at the statement after it.
    """
    before = line - 1
    while before > 0 and not lines[before - 1].strip():
        before -= 1
    for place in (line, before) if before else (line,):
        for blank in (_blank_function, _blank_block):
            attempt = blank(lines, place)
            if attempt is not None:
                yield attempt


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
