"""CAP453: host calls that are given proxies."""

from __future__ import annotations

from analyzer.flow.events import Call, Operation, ShapeRead, Subscript
from analyzer.knowledge.tables import canonical
from analyzer.proxy import holds_proxy, is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Data, Map, Seq, Shape, Static, Tensor, Unknown

#: Calls that refuse a proxy wherever it stands.
_VALUES = frozenset(
    """builtins.divmod builtins.complex operator.index torch.tensor torch.as_tensor torch.asarray torch._check
    torch.Size torch.broadcast_shapes torch.finfo torch.iinfo torch.from_numpy torch._check_is_size
    torch._check_value builtins.bytes json.dumps pickle.dumps torch.save builtins.hex builtins.bin
    builtins.oct builtins.chr torch.vmap.__call__""".split()
)
_SIZED = frozenset("torch.zeros torch.ones torch.empty torch.rand torch.randn".split())
#: Calls that look at some of their arguments, or at how many there are.
_HOST_CALLS = frozenset(
    """builtins.min builtins.max builtins.sorted builtins.getattr builtins.hasattr builtins.setattr builtins.round
    Tensor.expand Tensor.view Tensor.reshape Tensor.repeat Tensor.permute Tensor.register_hook Tensor.apply_
    Tensor.map_""".split()
)
_READS = frozenset({"int", "float", "len", "range", "bool", "round"})


def _array_proxy(value: object) -> bool:
    """A proxy, or what numpy made of one before it failed."""
    return isinstance(value, (Tensor, Shape, Unknown)) and (
        value.taint if isinstance(value, (Tensor, Shape)) else is_fx_proxy(value)
    )


def _compares(name: str, value: object) -> bool:
    """A display of two proxies or more, which are compared with each other; sorted tensors are CAP112."""
    if not isinstance(value, Seq) or is_fx_proxy(value) or value.items is None or len(value.items) < 2:
        return False
    kinds = (Shape, Data, Static, Unknown) if name == "builtins.sorted" else (Tensor, Shape, Data, Static, Unknown)
    return all(isinstance(i, kinds) and is_fx_proxy(i) for i in value.items)


def _number_proxy(value: object) -> bool:
    return isinstance(value, (Shape, Data, Static, Unknown)) and is_fx_proxy(value)


class ProxyInHostCall(Rule):
    """Calls that need a real number, tensor or text and are given a proxy.

    ## What it does
    Finds calls of builtins (`int`, `len`, `range`, `round`, `divmod`, `max` of two sizes), of `torch.tensor`,
    `torch._check`, `torch.Size`, `torch.broadcast_shapes`, `torch.finfo`, numpy functions, serialisers and
    module constructors with a proxy among their arguments; factories and views with several sizes of which one
    is a proxy and no tensor is first; and lists indexed with a proxy.

    ## Why it matters
    These functions are C code or test their arguments, so they want the value itself. The Proxy is no int, no
    tensor and has no length: symbolic_trace stops with an error.

    ## Use instead
    Tensor methods instead of host arithmetic (`x.shape[0] // 2` for `int(x.shape[0] / 2)`), `torch.full((n,),
    v)` or `x.new_zeros` for a tensor of a computed size, `torch._assert` for `torch._check`, a helper marked
    with `torch.fx.wrap` for the rest.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP453", "proxy-in-host-call"
    outcomes = {"fx": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    base = torch.tensor(x.shape)  # CAP453
    return base * 2
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    k = x.sum().item()
    torch._check(k >= 0)  # CAP453
    return x * k
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x, n):
    for _ in range(n):  # CAP453
        x = x * 2
    return x
""",
            inputs="(torch.ones(2, 3), 2)",
        ),
        Bad(
            """
import numpy as np
import torch


def fn(x):
    array = np.sqrt(x.numpy())  # CAP453
    return torch.from_numpy(array)
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    return torch.zeros(x.shape[0], 2)  # CAP453
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


SCALES = [1.0, 2.0, 3.0]


def fn(x):
    return x * SCALES[x.shape[0]]  # CAP453
""",
            inputs="torch.ones(2, 3)",
        ),
        Good(
            """
import math
import torch


def fn(x):
    base = torch.zeros(x.shape) + torch.arange(x.shape[1])
    torch._assert(x.shape[0] > 0, "no rows")
    return base * math.sqrt(x.shape[-1]) + torch.full((x.shape[0], 1), 1.0)
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    @classmethod
    def speaks_of(cls, name: str) -> bool:
        name = canonical(name)
        return name in _VALUES or name in _SIZED or name in _HOST_CALLS or name.startswith(("numpy.", "torch.nn."))

    def on_call(self, event: Call, report: Reporter) -> None:
        name = canonical(event.name)
        values = [*event.args, *event.kwargs.values()]
        if name in _VALUES and any(map(holds_proxy, values)):
            report(event, f"{name.removeprefix('builtins.')} needs the value, and torch.fx has a proxy")
        elif name.startswith("numpy.") and any(map(_array_proxy, values)):
            report(event, f"{name} cannot take a proxy of torch.fx")
        elif name in _SIZED and len(event.args) > 1 and any(map(is_fx_proxy, event.args)):
            report(event, f"{name} with several sizes cannot take a proxy")
        elif (
            name in ("Tensor.expand", "Tensor.view", "Tensor.reshape", "Tensor.repeat", "Tensor.permute")
            and len(event.args) > 1
        ):
            owner = event.receiver
            if (
                isinstance(owner, Tensor)
                and not owner.taint
                and owner.origin != "parameter"
                and any(map(is_fx_proxy, event.args))
            ):
                report(event, f"{name} of a real tensor with several sizes cannot take a proxy")
        elif name in ("builtins.min", "builtins.max") and len(event.args) > 1 and any(map(_number_proxy, event.args)):
            report(event, f"{name.removeprefix('builtins.')} compares, and torch.fx has no value to compare")
        elif (
            name in ("builtins.min", "builtins.max", "builtins.sorted")
            and len(event.args) == 1
            and _compares(name, event.args[0])
        ):
            report(event, f"{name.removeprefix('builtins.')} compares, and torch.fx has no value to compare")
        elif (
            name in ("builtins.getattr", "builtins.hasattr", "builtins.setattr")
            and len(event.args) > 1
            and is_fx_proxy(event.args[1])
        ):
            report(event, "an attribute's name must be a text, and torch.fx has a proxy")
        elif (
            name == "builtins.round"
            and event.args
            and isinstance(event.args[0], (Unknown, Static, Data))
            and is_fx_proxy(event.args[0])
        ):
            report(event, "round needs the value, and torch.fx has a proxy")
        elif (
            name.startswith("torch.nn.")
            and name.count(".") == 2
            and name[9].isupper()
            and any(map(is_fx_proxy, values))
        ):
            report(event, f"{name} is made with a proxy")
        elif (
            name in ("Tensor.register_hook", "Tensor.apply_", "Tensor.map_")
            and event.receiver is not None
            and is_fx_proxy(event.receiver)
        ):
            report(event, f"torch.fx cannot record a function as an argument of {name}")

    def on_shape_read(self, event: ShapeRead, report: Reporter) -> None:
        value = event.value
        if isinstance(value, (Shape, Tensor)) and value.taint or event.how not in _READS or not is_fx_proxy(value):
            return  # sizes are CAP203
        report(event, f"{event.how} needs the value, and torch.fx has a proxy", value=value)

    def on_subscript(self, event: Subscript, report: Reporter) -> None:
        index = event.index
        held = isinstance(event.value, Seq) or isinstance(event.value, Map) and bool(event.value.items)
        plain = held and not is_fx_proxy(event.value) and event.access == "load"
        if plain and isinstance(index, (Shape, Data, Static, Unknown)) and is_fx_proxy(index):
            report(event, "a Python container cannot be indexed with a proxy", value=index)

    def on_operation(self, event: Operation, report: Reporter) -> None:
        left = event.left
        if event.operator == "Mod" and isinstance(left, Const) and isinstance(left.value, str):
            right = event.right
            parts = right.items if isinstance(right, Seq) and right.items is not None else (right,)
            if any(map(is_fx_proxy, parts)) and ("%d" in left.value or "%f" in left.value or "%." in left.value):
                report(event, "a number format needs the value, and torch.fx has a proxy")
