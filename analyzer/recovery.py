"""What of a text that does not parse does: the smallest part that can be blamed is left out, and reported once.

A line that is being typed is finished, so that the rest means what it will mean; nothing is reported of it. Else the
statement alone is left out (its body stays), then the innermost function, then what stands at the top level. What is
left out becomes `pass` and empty lines, so that every line keeps its number.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analyzer.finding import FileError
from analyzer.source import SourceText
from analyzer.unfinished import finished

MAX_BROKEN_REGIONS = 20
_LEFT_OUT = "(only this part is left out)"
_NESTED = "the code is nested too deeply to be parsed"
_TOP_LEVEL = re.compile(r"@|(?:async\s+def|def|class)\b")
_HEADER = re.compile(r"^(\s*)(?:async\s+def|def|class)\b")
#: Headers whose body means nearly the same under `if True`.
_BLOCK = re.compile(r"\s*(?:if|while|for|async\s+for|with|async\s+with)\b")
#: A line that is part of the top-level statement above it.
_CONTINUED = re.compile(r"$|[\s)\]}#]|(?:else|elif|except|finally)\b")
#: What a statement that is left out becomes.
FILLERS = frozenset({"pass", "if True:", ""})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A tree of everything that parses, and one error for each region that does not.

    `text`: what was parsed, line by line as long as the file; None if the parts of the file were parsed apart.
    `guessed`: the numbers of the lines that were finished.
    """

    tree: ast.Module
    errors: tuple[FileError, ...] = ()
    text: str | None = None
    guessed: frozenset[int] = frozenset()


#: The texts to try for lines of which the one of a number is to blame, and the line up to which each must parse.
Attempts = Callable[[list[str], int], Iterator[tuple[list[str], int]]]
#: `parse_text`, or something that gives the same tree, or raises the same error, faster.
Parser = Callable[[str], ast.Module]


def parse_text(text: str) -> ast.Module:
    """`ast.parse`, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def recover(source: SourceText, text: str, error: Exception, parse: Parser) -> Parsed | FileError:
    """Parse a text that does not; only one of which nothing parses is an error as a whole. `error`: why it does not."""
    lines = text.split("\n")
    for attempts in (_attempts, _large_attempts):
        for by_blocks in (True, False):
            parsed = _recover(source.path, lines, error, parse, attempts, by_blocks)
            if parsed is not None:
                return parsed
    return apart(source.path, lines, _left_out(source.path, _line_of(error, lines), error))


def _recover(
    path: str, lines: list[str], error: Exception, parse: Parser, attempts: Attempts, by_blocks: bool
) -> Parsed | FileError | None:
    """`by_blocks`: an attempt is as bad as its top-level statement is by itself: a fraction of the work."""
    errors: list[FileError] = []
    whole = lines
    while len(errors) < MAX_BROKEN_REGIONS:
        line = _line_of(error, lines)
        errors.append(_left_out(path, line, error))
        for attempt, last in attempts(lines, line):
            if by_blocks and _rejected(attempt, line, last):
                continue
            try:
                shorter = "\n".join(attempt)
                return Parsed(parse(shorter), tuple(errors), shorter, _guessed(whole, attempt))
            except (RecursionError, MemoryError):
                return apart(path, attempt, FileError(path, line, "nested", _NESTED))
            except (SyntaxError, ValueError) as again:
                if (getattr(again, "lineno", None) or 1) > last:
                    lines, error = attempt, again
                    break
        else:
            return None
    return None


def _rejected(lines: list[str], line: int, last: int) -> bool:
    """Whether the top-level statement around a line, parsed by itself, has an error up to the line `last`."""
    start, end = _block(lines, line - 1)
    try:
        parse_text("\n".join(lines[start:end]) + "\n")
    except SyntaxError as error:
        return start + (error.lineno or 1) <= last
    except (ValueError, RecursionError, MemoryError):
        pass
    return False


def _block(lines: list[str], index: int) -> tuple[int, int]:
    """The lines of the top-level statement around one: the first, and the one after the last."""
    start, end = index, index + 1
    while start > 0 and _CONTINUED.match(lines[start]):
        start -= 1
    while start > 0 and lines[start - 1].startswith("@"):
        start -= 1
    while end < len(lines) and _CONTINUED.match(lines[end]):
        end += 1
    return start, end


def _guessed(lines: list[str], attempt: list[str]) -> frozenset[int]:
    return frozenset(
        number
        for number, (line, other) in enumerate(zip(lines, attempt), 1)
        if line != other and other.strip() not in FILLERS
    )


def _line_of(error: Exception, lines: list[str]) -> int:
    return min(max(getattr(error, "lineno", None) or 1, 1), len(lines))


def _left_out(path: str, line: int, error: Exception) -> FileError:
    return FileError(path, line, "syntax", f"{getattr(error, 'msg', None) or error} {_LEFT_OUT}")


def too_deep(source: SourceText) -> Parsed | FileError:
    """Parse the parts of a text that is too much for the parser as a whole."""
    return apart(source.path, source.text.split("\n"), FileError(source.path, 1, "nested", _NESTED))


def without_returns(parsed: Parsed, path: str) -> Parsed:
    """A `return` outside of functions, which `ast` lets pass, ends nothing: what stands after it is checked as well."""
    errors = list(parsed.errors)
    body = list(parsed.tree.body)
    for index, stmt in enumerate(body):
        if isinstance(stmt, ast.Return):
            errors.append(FileError(path, stmt.lineno, "syntax", f"'return' outside function {_LEFT_OUT}"))
            body[index] = ast.copy_location(ast.Pass(), stmt)
    return Parsed(ast.Module(body, []), tuple(errors), parsed.text, parsed.guessed)


def apart(path: str, lines: list[str], first: FileError) -> Parsed | FileError:
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
            errors.append(_left_out(path, start + _line_of(error, lines[start:end]), error))
        else:
            ast.increment_lineno(tree, start)
            body += tree.body
            continue
        body += _imports(lines, start, end)
    if not body:
        return FileError(path, first.line, first.kind, first.message.replace(f" {_LEFT_OUT}", ""))
    return Parsed(ast.Module(body, []), tuple(errors[:MAX_BROKEN_REGIONS]) or (first,))


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


def enclosing(lines: list[str], line: int) -> tuple[int, int] | None:
    """The lines, from 0, of the innermost definition around a line: the first, and the one after the last."""
    header = _header_above(lines, line)
    return None if header is None else (header, _end_of_block(lines, header))


def indent_of(line: str) -> int:
    """The width of what a line begins with, in characters."""
    return len(line) - len(line.lstrip())


def _attempts(lines: list[str], line: int) -> Iterator[tuple[list[str], int]]:
    """The text with what may be broken left out, the smallest and nearest first; and the line up to which it must
    parse then to have been worth it.

    What is not closed, a `try` or a header without its body, is noticed only at the statement after it.
    """
    places = _places(lines, line)
    for place in places:
        for ended in _finished(lines, place):
            yield ended, max(line, _next_statement(lines, place))
    for leave_out in (_without_statement, _without_lines, _without_line):
        for place in places:
            if (attempt := leave_out(lines, place)) is not None:
                # an error right after it comes of leaving it out
                yield attempt, max(line, _next_statement(lines, place))
    yield from _large_attempts(lines, line)


def _large_attempts(lines: list[str], line: int) -> Iterator[tuple[list[str], int]]:
    """The text without whole definitions."""
    for place in _places(lines, line):
        for leave_out in (_without_body, _without_block):
            if (attempt := leave_out(lines, place)) is not None:
                yield attempt, line


def _places(lines: list[str], line: int) -> tuple[int, ...]:
    """The line and the one before it that is not empty."""
    before = line - 1
    while before > 0 and not lines[before - 1].strip():
        before -= 1
    return (line, before) if before else (line,)


def _finished(lines: list[str], line: int) -> Iterator[list[str]]:
    """Finish the one line."""
    index = line - 1
    text = lines[index]
    following = _next_statement(lines, line) - 1
    above = following < len(lines) and indent_of(lines[following]) > indent_of(text)
    header = above and bool(_BLOCK.match(text) or _HEADER.match(text))
    for other in finished(text, header):
        yield [*lines[:index], other, *lines[index + 1 :]]


def _without_statement(lines: list[str], line: int) -> list[str] | None:
    """Replace the one line by `pass`; the header of a block by one that is always true."""
    index = line - 1
    text = lines[index]
    if not text.strip() or text.strip() in FILLERS:
        return None
    indent = indent_of(text)
    following = _next_statement(lines, line) - 1
    opens = following < len(lines) and indent_of(lines[following]) > indent and _BLOCK.match(text)
    return [*lines[:index], " " * indent + ("if True:" if opens else "pass"), *lines[index + 1 :]]


def _without_lines(lines: list[str], line: int) -> list[str] | None:
    """Replace a statement of several lines by `pass`: those that are indented more than its first."""
    start = line - 1
    following = _next_statement(lines, line) - 1
    if following >= len(lines) or indent_of(lines[following]) <= indent_of(lines[start]):
        indent = indent_of(lines[start])
        while start > 0 and (not lines[start].strip() or indent_of(lines[start]) >= indent):
            start -= 1
    text = lines[start]
    opened = sum(text.count(bracket) for bracket in "([{") - sum(text.count(bracket) for bracket in ")]}")
    return _replaced(lines, start) if opened > 0 else None


def _without_line(lines: list[str], line: int) -> list[str] | None:
    """Leave nothing of a line: its indentation may be what is wrong."""
    return [*lines[: line - 1], "", *lines[line:]] if lines[line - 1].strip() else None


def _next_statement(lines: list[str], line: int) -> int:
    """The number of the next line that is not empty."""
    following = line + 1
    while following <= len(lines) and not lines[following - 1].strip():
        following += 1
    return following


def _header_above(lines: list[str], line: int) -> int | None:
    index = line - 1
    width = indent_of(lines[index]) if lines[index].strip() else None
    for start in range(index, -1, -1):
        match = _HEADER.match(lines[start])
        if match and (width is None or len(match.group(1)) < width or start == index):
            return start
    return None


def _without_body(lines: list[str], line: int) -> list[str] | None:
    """Replace the innermost def or class whose header stands above `line` by `pass`."""
    start = _header_above(lines, line)
    return None if start is None else _replaced(lines, start)


def _without_block(lines: list[str], line: int) -> list[str] | None:
    """Replace the top-level statement around `line` by `pass`."""
    start = line - 1
    while start > 0 and (not lines[start].strip() or lines[start][0] in " \t)]}#"):
        start -= 1
    return None if lines[start].strip() == "pass" else _replaced(lines, start, 0)


def _replaced(lines: list[str], start: int, indent: int | None = None) -> list[str]:
    indent = indent_of(lines[start]) if indent is None else indent
    end = _end_of_block(lines, start, indent)
    blanked = [" " * indent + "pass"] + [""] * (end - start - 1)
    return lines[:start] + blanked + lines[end:]


def _end_of_block(lines: list[str], start: int, indent: int | None = None) -> int:
    indent = indent_of(lines[start]) if indent is None else indent
    end = start + 1
    while end < len(lines):
        text = lines[end]
        if text.strip() and indent_of(text) <= indent and text.lstrip()[0] not in ")]}#":
            break
        end += 1
    return end
