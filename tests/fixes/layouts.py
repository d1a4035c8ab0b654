"""Strategies for programs in many layouts: indentation, nesting, comments, semicolons, names of torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

INDENTS = ("    ", "  ", "\t", " ")
COMMENTS = ("", "", "  # why", "  # größer als früher ✓", "  # a # b")
IMPORTS = (
    "import torch\n",
    "import torch as th\n",
    "from torch import nn\n",
    "import logging\nfrom torch import nn  # layers\n",
    '"""Docs of 3 lines\n\n"""\nfrom __future__ import annotations\nimport os\n',
    "#!/usr/bin/env python\n# licence\nimport torch.nn as nn\nimport torch\n",
    "",
)
_OPENERS: Sequence[Sequence[str]] = (
    ("def fn(x):",),
    ("class Net:", "def forward(self, x):"),
    ("def fn(x):", "for i in range(2):"),
    ("def fn(x):", "with open('f') as f:", "if x.shape[0] > 1:"),
    ("class Net:", "@property", "def größe(self, x=1):", "try:"),
    ("if True:", "def fn(x):", "while x.dim() > 1:"),
)

Block = Callable[[st.DrawFn, str, str], str]


@st.composite
def programs(draw: st.DrawFn, block: Block) -> str:
    """`block(draw, indent, unit)` gives the lines of the statements that matter, in a random place."""
    unit = draw(st.sampled_from(INDENTS))
    lines = [draw(st.sampled_from(IMPORTS))]
    indent = ""
    attempted = False
    for opener in draw(st.sampled_from(_OPENERS)):
        lines.append(f"{indent}{opener}{draw(st.sampled_from(COMMENTS))}\n")
        attempted = opener == "try:"
        indent += "" if opener[0] == "@" else unit
    lines.append(f"{indent}y = x.sin()  # torch\n" if draw(st.booleans()) else f"{indent}y = x.cos(); z = 'ä torch'\n")
    if draw(st.booleans()):
        lines.append(draw(st.sampled_from(("\n", f"{indent}# before\n", "    # outdented or not\n", "\n\n"))))
    lines.append(block(draw, indent, unit))
    if draw(st.booleans()):
        lines.append(f"{indent}y = y + 1{draw(st.sampled_from(COMMENTS))}\n")
    if attempted:
        outer = indent.removesuffix(unit)
        lines.append(f"{outer}finally:\n{indent}pass\n")
    text = "".join(lines)
    return text if draw(st.booleans()) else text.rstrip("\n")
