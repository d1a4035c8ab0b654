"""The knowledge tables: what torch, numpy and Python callables do to capture, as measured rows of TSV files.

`returns` is a small language (see `knowledge/README.md`), read by `analyzer.flow.library`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

HERE = os.path.dirname(__file__)
FILES = ("python_api.tsv", "numpy_api.tsv", "nn_modules.tsv", "torch_api.tsv")


@dataclass(frozen=True, slots=True)
class Row:
    """One callable (or attribute). Empty strings stand for what was not measured."""

    name: str
    returns: str = ""
    effect: str = ""
    dynamo: str = ""
    graph_break: str = ""
    when: str = ""
    trace: str = ""
    fx: str = ""
    script: str = ""
    since: str = ""
    note: str = ""
    fullgraph: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """Graph-break registry ids."""
        return _ids(self.graph_break)


@lru_cache(maxsize=1024)
def _ids(cell: str) -> tuple[str, ...]:
    return tuple(i for i in cell.replace(",", " ").replace(";", " ").split() if i.startswith("GB"))


_FIELDS = frozenset(Row.__dataclass_fields__)

#: Other spellings of the same callable: prefix → canonical prefix.
ALIASES: tuple[tuple[str, str], ...] = (
    ("torch.Tensor.", "Tensor."),
    ("torch.functional.", "torch."),
    ("torch._C._nn.", "torch.nn.functional."),
    ("torch._C._TensorBase.", "Tensor."),
    ("torch.nn.parameter.", "torch.nn."),
    ("torch.autograd.function.", "torch.autograd."),
    ("torch.distributions.normal.", "torch.distributions."),
    ("torch.distributions.categorical.", "torch.distributions."),
    ("torch._dynamo.disable", "torch.compiler.disable"),
    ("torch._dynamo.allow_in_graph", "torch.compiler.allow_in_graph"),
    ("torch._dynamo.is_compiling", "torch.compiler.is_compiling"),
    ("torch._utils.is_compiling", "torch.compiler.is_compiling"),
    ("torch.onnx.operators.shape_as_tensor", "torch.onnx.operators.shape_as_tensor"),
)


@lru_cache(maxsize=8192)
def canonical(name: str) -> str:
    """The name under which the tables know a callable."""
    for prefix, replacement in ALIASES:
        if name.startswith(prefix):
            name = replacement + name[len(prefix) :]
    if name.startswith("torch.nn.modules."):
        name = "torch.nn." + name.rsplit(".", 1)[1]
    return name


def _rows(file: str) -> Iterator[Row]:
    path = os.path.join(HERE, file)
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as stream:
        header: list[str] = []
        for line in stream:
            if line.startswith("#") or not line.strip():
                continue
            cells = line.rstrip("\n").split("\t")
            if not header:
                header = cells
                continue
            yield Row(**{k: v for k, v in zip(header, cells) if k in _FIELDS})


@lru_cache(maxsize=1)
def table() -> Mapping[str, Row]:
    """All rows by name."""
    return {row.name: row for file in FILES for row in _rows(file)}


@lru_cache(maxsize=1)
def variants() -> Mapping[tuple[str, str], Row]:
    """Rows of Python callables by name and kind of argument (`size`, `tensor`, `object`…)."""
    return {(row.name, row.when): row for row in _rows("python_variants.tsv")}


def measured(name: str) -> bool:
    """Whether a callable of this very name was met where the tables were measured: it exists."""
    return canonical(name) in table()


@lru_cache(maxsize=8192)
def lookup(name: str) -> Row | None:
    """The row of a callable by any of its names; a `module.*` row stands for what has none of its own."""
    rows = table()
    name = canonical(name)
    row = rows.get(name)
    if row is None and "." in name:
        prefix = name
        while "." in prefix:
            prefix = prefix.rsplit(".", 1)[0]
            row = rows.get(prefix + ".*")
            if row is not None:
                return row
    return row
