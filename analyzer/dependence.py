"""Whether freezing a value would matter: shared judgements of the rules on taint and origin."""

from __future__ import annotations

import ast

from analyzer.outcome import Frontend, Outcome
from analyzer.values import Data, Tensor, Value, is_tainted

#: Where a tensor lives that outlasts one call and may change between calls.
STATEFUL = frozenset({"buffer", "attribute", "global"})


def varies(value: Value) -> bool:
    """Whether a value can differ between two calls of the captured function."""
    return is_tainted(value) or isinstance(value, Tensor) and value.origin in STATEFUL


def is_proxy(value: Value) -> bool:
    """Whether torch.fx sees a Proxy: what depends on an argument, and parameters."""
    return is_tainted(value) or isinstance(value, Tensor) and value.origin == "parameter"


def frozen(outcomes: dict[Frontend, Outcome], value: Value) -> dict[Frontend, Outcome]:
    """Outcomes of reading a value on the host, where some frontends would freeze or refuse only what varies."""
    if not varies(value):
        outcomes["trace"] = "captured"
    if not is_proxy(value):
        outcomes["fx"] = "silently_wrong" if varies(value) and outcomes.get("trace") == "silently_wrong" else "captured"
    return outcomes


_READS = frozenset({"item", "tolist", "int", "float", "bool"})


def from_read(value: Data) -> bool:
    """Whether a number was read by `.item()` and its like, which fullgraph and export keep as an unbacked symbol."""
    why = value.why
    while why is not None:
        if isinstance(why.node, ast.Call):
            func = why.node.func
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            if name in _READS:
                return True
        why = why.before
    return False


def conditional(tree: ast.Module, node: ast.AST) -> bool:
    """Whether an `if` or `try` of the file stands around a node."""
    line = getattr(node, "lineno", 0)
    around = (n for n in ast.walk(tree) if isinstance(n, (ast.If, ast.Try, ast.IfExp)))
    return any(n.lineno <= line <= (n.end_lineno or n.lineno) for n in around)
