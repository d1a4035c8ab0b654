"""What a kernel reads and writes: of each buffer the part that it goes through.

Inductor's own count takes a buffer whole wherever several operations are one kernel, and for the call of a library: a
slice of a long cache, some rows of a table and one of three views of a product would be as large as all of it.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any, Dict, List, Optional


def of(node: Any) -> int:
    """Bytes that a final node of the scheduler moves, while Inductor's handlers are in place."""
    by_buffer = getattr(node, "get_read_write_buffer_accesses", None)
    if by_buffer is None:  # a release that only has the sum
        return int(node.get_read_write_buffers_sizes())
    whole: Dict[str, int] = by_buffer(include_reads=True, include_writes=True)
    parts: Dict[str, int] = {}
    with contextlib.suppress(Exception):  # what is not understood counts whole
        parts = _views(node) if node.is_extern() else _loops(node)
    return sum(min(int(size), parts.get(name, int(size))) for name, size in whole.items())


def _loops(node: Any) -> Dict[str, int]:
    """By buffer: what the loops of a generated kernel go through."""
    from torch._inductor.virtualized import V

    found: Dict[str, Optional[int]] = {}
    for dep in [*node.read_writes.reads, *node.read_writes.writes]:
        name, known = str(dep.name), found.get(str(dep.name), 0)
        elements = _elements(dep)
        found[name] = known + elements if known is not None and elements is not None else None
    return {name: n * int(V.graph.get_dtype(name).itemsize) for name, n in found.items() if n is not None}


def _elements(dep: Any) -> Optional[int]:
    """How many elements one access goes through, each once; none where it is not by index. Where the index is data, no
    more than there are steps of the loops."""
    if not hasattr(dep, "index") or not hasattr(dep, "size"):
        return None
    if dep.is_indirect():
        return math.prod(_number(size) for size in dep.size)
    return _number(dep.get_numel())


def _views(node: Any) -> Dict[str, int]:
    """By buffer: the views of it that the call of a library is given."""
    inputs: List[Any] = []
    for given in node.node.inputs:
        inputs += given if isinstance(given, (list, tuple)) else [given]
    found: Dict[str, int] = {}
    for given in inputs:
        name = str(given.get_name())
        size = math.prod(_number(length) for length in given.get_size()) * int(given.get_dtype().itemsize)
        found[name] = found.get(name, 0) + size
    for name in (str(dep.name) for dep in node.read_writes.writes):
        found.pop(name, None)
    return found


def _number(size: Any) -> int:
    """A size, or the one that a symbol had in this call."""
    from torch._inductor.virtualized import V

    with contextlib.suppress(TypeError, ValueError):
        return int(size)
    sizes: Any = V.graph.sizevars
    hint = getattr(sizes, "optimization_hint", None) or sizes.size_hint
    return int(hint(size))
