"""Rewrite syntax newer than the running Python to an older form of the same width, so that positions stay true.

Only used for files that the running `ast` rejects and libcst (which reads the syntax of Python 3.14) accepts:
`except*`, `a[*b]` and `*args: *Ts` (3.11), type parameters and `type X = …` (3.12), nested quotes in f-strings (3.12),
`except A, B:` and t-strings (3.14).
"""

from __future__ import annotations

import re

#: CPython's own limit; libcst has none, and its parser takes time and memory without bound beyond it.
MAX_BRACKETS = 200


def deeply_nested(text: str) -> bool:
    """Whether more brackets are open at once than any Python accepts. Those in strings count too: it is a screen."""
    depth = 0
    for bracket in re.findall(r"[()\[\]{}]", text):
        depth = depth + 1 if bracket in "([{" else max(0, depth - 1)
        if depth > MAX_BRACKETS:
            return True
    return False


def accepts(text: str) -> bool:
    """Whether libcst reads the text."""
    if deeply_nested(text):
        return False
    import libcst as cst

    try:
        cst.parse_module(text)
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return False
    return True


def downlevel(text: str) -> str | None:
    """The downlevelled text, of the same lines and columns, or None if libcst does not accept it either."""
    if deeply_nested(text):
        return None
    import libcst as cst

    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return None
    from libcst.metadata import CodePosition, MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    lines = text.split("\n")

    def blank(node: cst.CSTNode, replacement: str = "") -> None:
        span = positions[node]
        for row in range(span.start.line, span.end.line + 1):
            line = lines[row - 1]
            first = span.start.column if row == span.start.line else 0
            last = span.end.column if row == span.end.line else len(line)
            width = last - first
            filler = replacement.ljust(width)[:width] if row == span.start.line else " " * width
            lines[row - 1] = line[:first] + filler + line[last:]

    def put(place: CodePosition, character: str) -> None:
        line = lines[place.line - 1]
        lines[place.line - 1] = line[: place.column] + character + line[place.column + 1 :]

    class Collector(cst.CSTVisitor):
        def visit_TypeParameters(self, node: cst.TypeParameters) -> bool:
            blank(node)
            return False

        def visit_TypeAlias(self, node: cst.TypeAlias) -> bool:
            blank(node, "0")
            return False

        def visit_ExceptStarHandler(self, node: cst.ExceptStarHandler) -> bool:
            row = positions[node].start.line
            lines[row - 1] = re.sub(r"except(\s*)\*", r"except\1 ", lines[row - 1], count=1)
            return True

        def visit_ExceptHandler(self, node: cst.ExceptHandler) -> bool:
            if isinstance(node.type, cst.Tuple) and not node.type.lpar:
                for element in node.type.elements:
                    if isinstance(element.comma, cst.Comma):
                        put(positions[element.comma].start, "|")
            return True

        def visit_Index(self, node: cst.Index) -> bool:
            if node.star:
                put(positions[node].start, " ")
            return True

        def visit_Annotation(self, node: cst.Annotation) -> bool:
            if isinstance(node.annotation, cst.StarredElement):
                put(positions[node.annotation].start, " ")
            return True

        def visit_TemplatedString(self, node: cst.CSTNode) -> bool:
            blank(node, "''")
            return False

        def visit_FormattedString(self, node: cst.FormattedString) -> bool:
            source = module.code_for_node(node)
            if _same_quotes_inside(source) or "\n" in source:
                blank(node, "''")
                return False
            return True

    wrapper.module.visit(Collector())
    return "\n".join(lines)


def _same_quotes_inside(source: str) -> bool:
    match = re.match(r"[a-zA-Z]*('''|\"\"\"|'|\")", source)
    if match is None:
        return False
    quote = match.group(1)
    return quote in source[match.end() : -len(quote)] or "\\" in source
