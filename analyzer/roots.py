"""What gets captured, and by what: the capture APIs, the calls of them that were found, and the roots they make."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.knowledge.versions import EXPORT_NOT_STRICT, ONNX_WITH_EXPORT
from analyzer.outcome import Frontend
from analyzer.project import FunctionInfo
from analyzer.values import Const, Value

#: Qualified name → the frontend it captures with.
CAPTURE_APIS: Mapping[str, Frontend] = {
    "torch.compile": "dynamo",
    "torch._dynamo.optimize": "dynamo",
    "torch._dynamo.optimize_assert": "fullgraph",
    "torch.jit.trace": "trace",
    "torch.jit.trace_module": "trace",
    "torch.jit.script": "script",
    "torch.jit.script_method": "script",
    "torch.fx.symbolic_trace": "fx",
    "torch.fx.Tracer.trace": "fx",
    "torch.fx.experimental.proxy_tensor.make_fx": "export",
    "torch.export.export": "export",
    "torch.export.export_for_training": "export",
    "torch.export.draft_export": "export",
    "torch._export.capture_pre_autograd_graph": "export",
    "torch._dynamo.export": "export",
    "torch.onnx.export": "export",
    "torch.onnx.dynamo_export": "export",
    "torch.cuda.make_graphed_callables": "cudagraph",
    "triton.jit": "triton",
}

#: Words without which a file holds no capture call: a cheap test before anything is evaluated.
CAPTURE_WORDS = (
    "_dynamo",
    "_inductor",
    "compile",
    "jit",
    "symbolic_trace",
    "Tracer",
    "export",
    "make_fx",
    "optimize",
    "make_graphed_callables",
)


def capture_api(name: str) -> Frontend | None:
    """The frontend of a capture API by its qualified name."""
    return CAPTURE_APIS.get(name)


def frontends_of(name: str, kwargs: Mapping[str, Value]) -> frozenset[Frontend]:
    """The frontends that one call of a capture API uses; compile flags are read."""
    frontend = CAPTURE_APIS[name]
    if name == "torch.compile":
        disabled = kwargs.get("disable")
        if isinstance(disabled, Const) and disabled.value is True:
            return frozenset()
        fullgraph = kwargs.get("fullgraph")
        found: set[Frontend] = {"fullgraph" if isinstance(fullgraph, Const) and fullgraph.value is True else "dynamo"}
        mode = kwargs.get("mode")
        if isinstance(mode, Const) and mode.value in ("reduce-overhead", "max-autotune"):
            found.add("cudagraph")
        return frozenset(found)
    if name == "torch.onnx.export":
        dynamo = kwargs.get("dynamo")
        if isinstance(dynamo, Const) and dynamo.value is False:
            return frozenset({"trace"})
    return frozenset({frontend})


def by_release(
    name: str, kwargs: Mapping[str, Value], frontends: frozenset[Frontend], torch: tuple[int, int]
) -> frozenset[Frontend]:
    """The frontends of one call of a capture API in a release, where its default differs from today's."""
    if name == "torch.onnx.export" and "dynamo" not in kwargs and torch < ONNX_WITH_EXPORT:
        return frozenset({"trace"})
    return frontends


def exports_strictly(name: str, kwargs: Mapping[str, Value], torch: tuple[int, int]) -> bool:
    """Whether one call of a capture API exports with Dynamo; by the release's default if the call does not say."""
    if name == "torch._dynamo.export":
        return True
    if name not in ("torch.export.export", "torch.export.export_for_training"):
        return False
    strict = kwargs.get("strict")
    return bool(strict.value) if isinstance(strict, Const) else strict is None and torch < EXPORT_NOT_STRICT


_WHOLE_WORDS = "symbolic_trace make_fx make_graphed_callables Tracer _dynamo _inductor allow_in_graph triton".split()
#: Each begins with a literal text, which `re` finds ten times as fast as one alternation of all of them.
_CAPTURES = tuple(
    re.compile(pattern)
    for pattern in (
        r"torch\s*\.\s*(?:compile\b|jit\.(?!is_|ignore\b|unused\b|annotate\b|Final\b|isinstance\b)|export\b|_export\b"
        r"|onnx\.(?!is_|operators)|fx\b|_dynamo\b|_inductor\b)",
        r"\.compile\((?<!\bre\.compile\()",
        r"from\s+torch(?:\.(?:jit|export|fx|onnx)\b|\s+import\s[^\n]*\b(?:compile|jit|export|onnx|fx)\b)",
        *(rf"{word}\b(?<=\b{word})" for word in _WHOLE_WORDS),
    )
)


@lru_cache(maxsize=4096)
def captures_something(text: str) -> bool:
    """Whether a file's text may hold a capture call: a cheap test before anything of it is evaluated."""
    if "torch" not in text and "triton" not in text or not any(word in text for word in CAPTURE_WORDS):
        return False
    return any(pattern.search(text) for pattern in _CAPTURES)


@dataclass(eq=False, slots=True)
class CaptureCall:
    """One use of a capture API: `node` is the call or decorator."""

    api: str
    frontends: frozenset[Frontend]
    node: ast.AST
    path: str
    target: Value
    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=dict)
    in_loop: bool = False
    function: FunctionInfo | None = None
    discarded: bool = False  #: an expression statement: the result is thrown away
    unused: str = ""  #: the name that the result is bound to and that nothing reads, while the original is called
    training_layers: bool = False  #: the traced module has dropout or batch norm, and the file never calls `.eval()`


@dataclass(eq=False, slots=True)
class Root:
    """A function that gets captured. `arguments`: what its known calls pass, by parameter; empty if none is known."""

    info: FunctionInfo
    self_value: Value | None = None
    frontends: set[Frontend] = field(default_factory=set)
    arguments: dict[str, Value] = field(default_factory=dict)
    captures: list[CaptureCall] = field(default_factory=list)
    passed: dict[str, set[object]] = field(default_factory=dict)  #: constants that known calls pass, by parameter
    scope: Mapping[str, Value] | None = None
    calls: int = 0

    def exports_strictly(self, torch: tuple[int, int]) -> bool:
        """Whether a torch.export of this root captures with Dynamo; by the release's default if nothing exports it."""
        exports = [call for call in self.captures if "export" in call.frontends]
        if not exports:
            return torch < EXPORT_NOT_STRICT
        return any(exports_strictly(call.api, call.kwargs, torch) for call in exports)

    @property
    def label(self) -> str:
        """`path::qualname` (the path is absolute; whoever prints it makes it relative)."""
        return f"{self.info.module.path}::{self.info.qualname}"
