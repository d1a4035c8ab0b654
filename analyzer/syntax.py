"""Text to `ast`, with recovery: a broken statement costs itself alone.

The running Python's `ast` does the parsing. Syntax that is newer than the running Python is first downlevelled through
libcst (`analyzer.downlevel`), in place, so that every position stays true. What neither accepts is left out: see
`analyzer.recovery`.
"""

from __future__ import annotations

import ast
import sys
import textwrap

from analyzer.finding import FileError
from analyzer.recovery import Parsed, Parser, enclosing, parse_text, recover, too_deep, without_returns
from analyzer.source import SourceText

__all__ = ["Parsed", "parse", "parse_text"]


def parse(source: SourceText, parser: Parser = parse_text) -> Parsed | FileError:
    """Parse a file; only one of which nothing parses is an error as a whole."""
    parsed = _parse_file(source, parser)
    if isinstance(parsed, Parsed) and any(isinstance(stmt, ast.Return) for stmt in parsed.tree.body):
        return without_returns(parsed, source.path)
    return parsed


def _parse_file(source: SourceText, parser: Parser) -> Parsed | FileError:
    text = source.text
    try:
        return Parsed(parser(text), text=text)
    except (RecursionError, MemoryError):
        return too_deep(source)
    except (SyntaxError, ValueError) as error:
        first = error
    lowered = _lowered(text, first)
    if lowered is not None:
        try:
            return Parsed(parser(lowered), text=lowered)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return recover(source, lowered or text, first, parser)


def _lowered(text: str, error: Exception) -> str | None:
    if sys.version_info >= (3, 14):
        return None  # libcst reads nothing newer
    from analyzer.downlevel import accepts, downlevel

    line = getattr(error, "lineno", None)
    if line is not None:
        # The whole is rejected if the function that `ast` rejects is: a fraction of the work, at each key.
        lines = text.split("\n")
        around = enclosing(lines, min(max(line, 1), len(lines)))
        if around is not None:
            first, end = around
            part = textwrap.dedent("\n".join(lines[first:end])) + "\n"
            if _rejected_alike(part, line - first, error) and not accepts(part):
                return None
    return downlevel(text)


def _rejected_alike(part: str, line: int, error: Exception) -> bool:
    try:
        parse_text(part)
    except SyntaxError as again:
        return again.lineno == line and again.msg == getattr(error, "msg", None)
    except (ValueError, RecursionError, MemoryError):
        pass
    return False
