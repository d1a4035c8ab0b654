"""CAP451: loops and stars over proxies."""

from __future__ import annotations

from analyzer.flow.events import Iterate
from analyzer.proxy import is_fx_proxy
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Tensor, is_none, options_of


class IteratedProxy(Rule):
    """Loops, stars and builtins that walk through a proxy.

    ## What it does
    Finds loops, comprehensions, `*items`, `a, *rest = items`, `list()`, `tuple()`, `sum()`, `min()`, `max()`,
    `sorted()`, `zip()` and `enumerate()` over arguments that are lists, tuples or dicts, over `x.shape` and
    `x.size()`, over the pieces of a split tensor and over `tolist()`.

    ## Why it matters
    A Proxy has no length, so torch.fx cannot unroll a loop over it and stops with an error. Unpacking into a
    fixed number of names (`a, b = pair`) is allowed, because the number of names is in the bytecode.

    ## Use instead
    Index with literals or unpack into names; `x.numel()`, `x.shape[0] * x.shape[1]` or `math.prod(x.shape)` for
    the product of the sizes, `x.view(x.shape)` without the star.

    ## Fix safety
    No fix is offered.

    ## References
    torch.fx (https://docs.pytorch.org/docs/stable/fx.html, "Limitations of Symbolic Tracing"); measured on torch 2.13.
    """

    code, name = "CAP451", "iterated-proxy"
    outcomes = {"fx": "refused"}
    examples = [
        Bad(
            """
import torch


def fn(x):
    total = sum(x.size())  # CAP451
    return x / total
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def add(a, b):
    return a + b


def fn(pair):
    return add(*pair)  # CAP451
""",
            inputs="((torch.ones(3), torch.ones(3)),)",
        ),
        Bad(
            """
import torch


def fn(x):
    for piece in x.split(1):  # CAP451
        x = x + piece
    return x
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x):
    return x.new_zeros(tuple(x.shape))  # CAP451
""",
            inputs="torch.ones(2, 3)",
        ),
        Bad(
            """
import torch


def fn(x, *rest):
    for r in rest:  # CAP451
        x = x + r
    return x
""",
            inputs="(torch.ones(2, 3), torch.ones(3))",
        ),
        Good(
            """
import math
import torch


def fn(x):
    rows, columns = x.shape
    first, second = x.split(1)
    parts = [x[i] for i in range(2)]
    return (first + second) / (rows * columns) / math.prod(x.shape) + sum(parts)
""",
            inputs="torch.ones(2, 3)",
            outcomes={"fx": "captured"},
        ),
    ]

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        value = event.value
        options = [o for o in options_of(value) if not is_none(o)]
        if event.form == "unpack" or any(isinstance(o, Tensor) and o.taint for o in options):
            return
        if is_fx_proxy(value):
            report(event, "torch.fx cannot walk through a proxy: its length is not known", value=value)
