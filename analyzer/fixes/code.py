"""A file as makers of fixes see it: text by offsets in characters, parents of nodes, comments and strings."""

from __future__ import annotations

import ast
import tokenize
from bisect import bisect_right
from functools import cached_property

from analyzer.finding import Edit
from analyzer.source import SourceText, tokens

FunctionDef = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Parents:
    """Parents of nodes; a top-level statement is walked when one of its nodes is first asked for."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._first_lines = [_first_line(s) for s in tree.body]
        self._known: dict[ast.AST, ast.AST] = dict.fromkeys(tree.body, tree)
        self._walked: set[int] = set()

    def get(self, node: ast.AST) -> ast.AST | None:
        """The parent of a node; None for the module itself, and for what is not of this tree."""
        line = getattr(node, "lineno", None)
        if node not in self._known and line is not None:
            last = bisect_right(self._first_lines, line) - 1
            for index in range(last, max(last - 4, -1), -1):  # after a semicolon, statements share a line
                self._walk(index)
                if node in self._known:
                    break
        return self._known.get(node)

    def _walk(self, index: int) -> None:
        if index in self._walked:
            return
        self._walked.add(index)
        stack: list[ast.AST] = [self._tree.body[index]]
        while stack:
            node = stack.pop()
            children = list(ast.iter_child_nodes(node))
            self._known.update(dict.fromkeys(children, node))
            stack += children


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


class Code:
    """The text and the tree of one file."""

    def __init__(self, source: SourceText, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self.text = source.text

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        found = [0]
        for line in self.source.lines:
            found.append(found[-1] + len(line) + 1)
        return found

    @cached_property
    def parents(self) -> Parents:
        """Each node's parent."""
        return Parents(self.tree)

    def start(self, node: ast.AST) -> int:
        """Where a node begins (a decorated function: its `def`)."""
        line: int = node.lineno  # type: ignore[attr-defined]
        return self.starts[line - 1] + self.source.column(line, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Where a node ends, exclusive."""
        line: int = node.end_lineno  # type: ignore[attr-defined]
        return self.starts[line - 1] + self.source.column(line, node.end_col_offset)  # type: ignore[attr-defined]

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column of an offset."""
        low, high = 0, len(self.starts) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.starts[middle] <= offset:
                low = middle
            else:
                high = middle - 1
        return low + 1, offset - self.starts[low] + 1

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Replace what lies between two offsets."""
        return Edit(self.source.path, *self.position(start), *self.position(end), text)

    # -- lines --------------------------------------------------------------------------------------------------

    def indent(self, offset: int) -> str:
        """The white space at the beginning of the line of an offset."""
        line = self.source.lines[self.position(offset)[0] - 1]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def alone(self, offset: int) -> bool:
        """Whether only white space comes before an offset on its line, and no backslash continues onto it."""
        number, column = self.position(offset)
        before = self.source.lines[number - 1][: column - 1]
        return not before.strip() and not (number > 1 and self.source.lines[number - 2].endswith("\\"))

    @cached_property
    def tokens(self) -> list[tokenize.TokenInfo]:
        """The tokens, as far as the text can be split into them."""
        found: list[tokenize.TokenInfo] = []
        try:
            found.extend(tokens(self.text))
        except (tokenize.TokenError, SyntaxError, ValueError):
            return []
        return found

    @cached_property
    def comments(self) -> list[tuple[int, str]]:
        """Offset and text of each comment."""
        return [(self.starts[t.start[0] - 1] + t.start[1], t.string) for t in self.tokens if t.type == tokenize.COMMENT]

    @cached_property
    def inside_strings(self) -> frozenset[int]:
        """Lines (1-based) that begin inside a string: white space there is not ours to change."""
        found: set[int] = set()
        opened: list[int] = []
        begin = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "TSTRING_START", -1)
        close = getattr(tokenize, "FSTRING_END", -1), getattr(tokenize, "TSTRING_END", -1)
        for token in self.tokens:
            if token.type == tokenize.STRING:
                found.update(range(token.start[0] + 1, token.end[0] + 1))
            elif token.type in begin:
                opened.append(token.start[0])
            elif token.type in close and opened:
                found.update(range(opened.pop() + 1, token.end[0] + 1))
        return frozenset(found)

    # -- surroundings -------------------------------------------------------------------------------------------

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The smallest statement around a node (or the node itself)."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.parents.get(current)
        return current

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The function around a node."""
        current = self.parents.get(node)
        while current is not None and not isinstance(current, FunctionDef):
            current = self.parents.get(current)
        return current

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements of the block that a statement is in."""
        parent = self.parents.get(statement)
        for name in ("body", "orelse", "finalbody"):
            found = getattr(parent, name, None)
            if isinstance(found, list) and statement in found:
                return found
        return [statement]

    def unit(self, node: ast.AST) -> str:
        """One step of indentation, as the code around a node has it."""
        current: ast.AST | None = node
        while current is not None:
            parent = self.parents.get(current)
            line = getattr(parent, "lineno", None) or getattr(getattr(parent, "pattern", None), "lineno", None)
            if isinstance(current, ast.stmt) and line is not None and self.alone(self.start(current)):
                outer, inner = self.indent(self.starts[line - 1]), self.indent(self.start(current))
                if inner.startswith(outer) and len(inner) > len(outer):
                    return inner[len(outer) :]
            current = parent
        return "    "


#: The files asked for last, the latest at the end: their parents and tokens are dear.
_recent: list[Code] = []
_KEPT = 16


def forget(tree: ast.Module) -> None:
    """A file has another text now."""
    _recent[:] = [known for known in _recent if known.tree is not tree]


def code_of(source: SourceText, tree: ast.Module) -> Code:
    """The `Code` of a file; those of the last files are kept."""
    for index, known in enumerate(_recent):
        if known.tree is tree:
            _recent.append(_recent.pop(index))
            return known
    _recent.append(Code(source, tree))
    del _recent[:-_KEPT]
    return _recent[-1]
