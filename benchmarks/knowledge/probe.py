"""Run one call of a torch API eagerly, under torch.compile and under torch.jit.trace, and say what happened.

The call stands as source text in the middle of a small function, with captured work before and after it, so that the
compiler sees what it would see in a model. Tensors are arguments of that function, everything else is written out.
"""

from __future__ import annotations

import copy
import linecache
import logging
import re
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch

_GB = re.compile(r"/gb/(gb\d+)\.html")
_REASON = re.compile(r"Reason: [^\n]+\n\n([^\n]+)")
_counter = 0
Scope = Callable[[str], dict[str, Any]]  #: the globals of a probe, by its source text


@dataclass
class Call:
    """A call to measure: `expression` over the names in `inputs` (tensors and other live objects)."""

    name: str
    expression: str
    inputs: dict[str, Any]
    when: str = ""
    origin: str = "hand"
    module: str = ""  #: constructs MODULE in the expression
    training: bool = True


@dataclass
class Measured:
    """What one call did. `returns` is a description of the eager result, see `describe`."""

    name: str
    expression: str
    when: str
    origin: str
    eager: str = "ok"
    returns: Any = None
    first: str = ""
    dims: str = ""
    meta: str = ""
    dynamo: str = ""
    breaks: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    graphs: int = 0
    fullgraph: str = ""
    trace: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class _Breaks(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.reasons: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        found = _GB.search(text)
        self.ids.append(found.group(1).upper() if found else "?")
        reason = _REASON.search(text)
        self.reasons.append(reason.group(1).strip() if reason else text[:200])


def listen() -> _Breaks:
    """Send the graph_breaks artifact to a handler of ours, and nowhere else."""
    import torch._dynamo
    import torch._logging

    torch._logging.set_logs(graph_breaks=True)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("torch"):
            logging.getLogger(name).handlers.clear()
            logging.getLogger(name).propagate = False
    handler = _Breaks()
    logging.getLogger("torch._dynamo.symbolic_convert.__graph_breaks").addHandler(handler)
    return handler


def dtype_class(dtype: torch.dtype) -> str:
    if dtype == torch.bool:
        return "bool"
    if dtype.is_complex:
        return "complex"
    if dtype.is_floating_point:
        return "float"
    return "int"


def describe(value: Any, receiver: Any = None) -> Any:
    """A JSON-able description: ["T", dtype class, ndim], ["tuple", ...], ["py", type, text] and so on."""
    if isinstance(value, torch.Tensor):
        if value is receiver:
            return ["self"]
        if value.is_nested:
            return ["nested", str(value.layout)]
        if value.layout != torch.strided:
            return ["sparse", str(value.layout)]
        if value.is_quantized:
            return ["quantized"]
        return ["T", dtype_class(value.dtype), value.dim()]
    if isinstance(value, torch.Size):
        return ["py", "Size", str(tuple(value))]
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return [kind, *[describe(v, receiver) for v in value[:12]]]
    if isinstance(value, np.ndarray):
        return ["array", str(value.dtype), value.ndim]
    if isinstance(value, np.generic):
        return ["npscalar", str(value.dtype)]
    if isinstance(value, dict):
        return ["py", "dict", ""]
    text = (
        repr(value)
        if isinstance(value, (bool, int, float, complex, str, type(None), torch.dtype, torch.device))
        else ""
    )
    return ["py", type(value).__name__ if value is not None else "None", text]


def _returnable(shape: Any) -> bool:
    """Whether the result is handed out of the probe: tensors, plain values and containers of them."""
    if shape[0] in ("list", "tuple"):
        return all(_returnable(s) for s in shape[1:])
    if shape[0] == "py":
        return shape[1] in ("bool", "int", "float", "complex", "str", "None", "Size")
    return True


def _source(call: Call, keep: bool) -> tuple[str, str]:
    global _counter
    _counter += 1
    name = f"<probe {_counter} {call.name}>"
    lines = [f"def probe(base, {', '.join(call.inputs)}):", "    y = base * 2"]
    body = call.expression if re.match(r"(with |for |.*\bout = )", call.expression) else f"out = {call.expression}"
    lines += ["    " + line for line in body.split("\\n")]
    lines.append("    return y + 1, out" if keep else "    return y + 1")
    text = "\n".join(lines) + "\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return name, text


def build(call: Call, keep: bool, scope: Scope) -> Any:
    name, text = _source(call, keep)
    names = scope(text)
    exec(compile(text, name, "exec"), names)
    return names["probe"]


def fresh(inputs: dict[str, Any]) -> dict[str, Any]:
    """Copies, so that a call that writes to its arguments does not disturb the next."""
    done = {}
    for key, value in inputs.items():
        if (
            isinstance(value, torch.Tensor)
            and not isinstance(value, torch.nn.Parameter)
            and value.layout == torch.strided
            and not value.is_quantized
        ):
            strides = value.stride()
            made = value.detach().clone() if all(strides) else value.detach()
            done[key] = made.requires_grad_(value.requires_grad)
        else:
            try:
                done[key] = copy.deepcopy(value)
            except Exception:
                done[key] = value
    return done


def _host_values(value: Any) -> bool:
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return True
    if isinstance(value, (list, tuple)):
        return any(_host_values(v) for v in value)
    return False


def measure(call: Call, scope: Scope, breaks: _Breaks, *, compiled: bool = True, traced: bool = True) -> Measured:
    result = Measured(call.name, call.expression, call.when, call.origin)
    base = torch.ones(3)
    given = fresh(call.inputs)
    first = next((v for v in given.values() if isinstance(v, torch.Tensor)), None)
    if first is not None:
        result.first = dtype_class(first.dtype)
        result.dims = str(first.dim())
    receiver = None
    before = dict(given.items())
    try:
        eager = build(call, True, scope)
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = eager(base, **given)[1]
        receiver = next((v for v in before.values() if v is out), None)
        result.returns = describe(out, receiver)
    except Exception as error:
        result.eager = f"{type(error).__name__}: {str(error)[:160]}"
        return result
    if (first is not None and _host_values(out)) or result.returns[0] == "py":
        result.meta = _on_meta(call, scope)
    keep = _returnable(result.returns)
    if compiled:
        _compile(call, scope, breaks, keep, result)
    if traced:
        _trace(call, scope, result)
    return result


def _on_meta(call: Call, scope: Scope) -> str:
    """Whether the host value needs the tensor's contents: a tensor without contents tells."""
    try:
        moved = {k: v.to("meta") if isinstance(v, torch.Tensor) else v for k, v in fresh(call.inputs).items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = build(call, True, scope)(torch.ones(3, device="meta"), **moved)[1]
        return repr(describe(out)[1:])
    except Exception as error:
        return f"{type(error).__name__}"


def _compile(call: Call, scope: Scope, breaks: _Breaks, keep: bool, result: Measured) -> None:
    for full in (False, True):
        if full and result.dynamo == "ok":
            result.fullgraph = "ok"
            return
        graphs = 0

        def backend(gm: Any, example: Any) -> Any:
            nonlocal graphs
            graphs += 1
            return gm.forward

        torch._dynamo.reset()
        breaks.ids.clear()
        breaks.reasons.clear()
        state = torch.get_rng_state()
        message = "ok"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                torch.compile(build(call, keep, scope), backend=backend, fullgraph=full)(
                    torch.ones(3), **fresh(call.inputs)
                )
        except Exception as error:
            message = f"{type(error).__name__}: {str(error).strip()[:200]}"
        torch.set_rng_state(state)
        if full:
            result.fullgraph = "ok" if message == "ok" else "refused"
            continue
        result.graphs = graphs
        result.breaks = list(breaks.ids)
        result.reasons = list(breaks.reasons)[:3]
        if message != "ok":
            result.dynamo = "error"
            result.reasons.append(message)
        elif breaks.ids:
            result.dynamo = "break"
        else:
            result.dynamo = "ok" if graphs else "skipped"


def _trace(call: Call, scope: Scope, result: Measured) -> None:
    inputs = fresh(call.inputs)
    tensors = {k: v for k, v in inputs.items() if isinstance(v, torch.Tensor)}
    rest = {k: v for k, v in inputs.items() if not isinstance(v, torch.Tensor)}
    function = build(call, True, scope)
    seen: list[Any] = []

    def traced(base: torch.Tensor, *given: torch.Tensor) -> torch.Tensor:
        y, out = function(base, **dict(zip(tensors, given)), **rest)
        seen.append(_host_values(out))
        return y

    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            torch.jit.trace(traced, (torch.ones(3), *tensors.values()), check_trace=False)
    except Exception as error:
        result.trace = f"error:{type(error).__name__}"
        return
    if seen and seen[0]:
        result.trace = "freezes"
    elif any("Tracer" in w.category.__name__ for w in told):
        result.trace = "warns"
    else:
        result.trace = "ok"
