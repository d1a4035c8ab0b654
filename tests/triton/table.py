"""`rejections.tsv`: statements put into one kernel, what Triton 3.9 says of them, and what the rules find.

Columns: name · outcome (accepted, refused) · line of the body that Triton names (empty: it names none or another) ·
codes found (empty: what decides is not known statically) · the body, line breaks written as `\\n`.
`python -m tests.triton.table` compiles every body afresh and rewrites the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("rejections.tsv")

PRELUDE = """\
import enum
import math
from typing import NamedTuple

import numpy as np
import torch
import triton
import triton.language as tl

G = 3.0
GC = tl.constexpr(4)
GA: tl.constexpr = 4
L = [1, 2]
T = (1, 2)
S = "abc"


class Mode(enum.IntEnum):
    A = 1


class NT(NamedTuple):
    a: int


def plain(x):
    return x + 1


@triton.jit
def helper(x, y):
    return x + y


@triton.jit
def mixed(x, c):
    if c > 0:
        return x
    return 0.0


@triton.jit
def kernel(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    x = tl.load(x_ptr + offs, mask=m)
"""
POSTLUDE = "    tl.store(o_ptr + offs, x, mask=m)\n"
SIGNATURE = {"x_ptr": "*fp32", "o_ptr": "*fp32", "n": "i32"}
CONSTEXPRS = {"BLOCK": 128}
FIRST = PRELUDE.count("\n")  #: lines before the body


@dataclass(frozen=True)
class Row:
    name: str
    refused: bool
    line: int | None
    codes: tuple[str, ...]
    body: str

    @property
    def source(self) -> str:
        return PRELUDE + "".join(f"    {line}\n" for line in self.body.split("\n")) + POSTLUDE


def read() -> list[Row]:
    rows = []
    for text in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        name, outcome, line, codes, body = text.split("\t")
        rows.append(
            Row(
                name, outcome == "refused", int(line) if line else None, tuple(codes.split()), body.replace("\\n", "\n")
            )
        )
    return rows


def write(rows: list[Row]) -> None:
    lines = ["name\toutcome\tline\tcodes\tbody"]
    for row in rows:
        body = row.body.replace("\n", "\\n")
        outcome = "refused" if row.refused else "accepted"
        lines.append("\t".join([row.name, outcome, str(row.line or ""), " ".join(row.codes), body]))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure(rows: list[Row]) -> list[Row]:
    """The rows as Triton and the rules see them now."""
    from tests.triton.collect import findings
    from tests.triton.oracle import judge

    result = []
    for row in rows:
        verdict = judge(row.source, "kernel", SIGNATURE, CONSTEXPRS)
        line = verdict.line - FIRST if verdict.line is not None and verdict.line > FIRST else None
        codes = tuple(sorted({f.code for f in findings(row.source)}))
        result.append(Row(row.name, verdict.refused, line, codes, row.body))
    return result


if __name__ == "__main__":
    write(measure(read()))
