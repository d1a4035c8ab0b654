"""CAP803: code that fixes a dimension which the program declares dynamic."""

from __future__ import annotations

from analyzer.flow.events import Event, Iterate, Operation, ShapeRead
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Const, Seq, Shape, Tensor, Value

_BY: dict[str, tuple[Frontend, ...]] = {"export": ("export",), "dynamo": ("dynamo", "fullgraph")}


class SpecialisedDynamicDimension(Rule):
    """Code that fixes a dimension which the program declares dynamic.

    ## What it does
    Finds, where `dynamic_shapes` of `torch.export.export` (with `Dim("batch")` or `Dim.DYNAMIC`) or
    `torch._dynamo.mark_dynamic` declares a dimension of an input dynamic: loops over its rows or over `range` of its
    size, `int(x.shape[0])` under an export, and comparisons of the size with the very number that the example has.

    ## Why it matters
    Each of them makes the size a constant of the graph. What must be dynamic then cannot be: the capture fails with
    "Constraints violated … your code specialized it to be a constant".

    ## Use instead
    Tensor operations over the whole dimension; an example of another size than the one compared with; `Dim.AUTO` or
    `torch._dynamo.maybe_mark_dynamic` where a constant is acceptable.

    ## Fix safety
    No fix is offered.

    ## References
    https://docs.pytorch.org/docs/stable/export.html ("Expressing Dynamism"); measured on torch 2.13.
    """

    code, name = "CAP803", "specialised-dynamic-dimension"
    outcomes = {"export": "refused"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 8:  # CAP803
            return x + 1
        return x - 1


def main():
    example = torch.randn(8, 3)
    return torch.export.export(Net(), (example,), dynamic_shapes={"x": {0: torch.export.Dim("batch")}})
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        rows, width = x.shape
        total = torch.zeros(width)
        for k in range(rows):  # CAP803
            total = total + x[k]
        return total


def main():
    example = torch.randn(8, 3)
    return torch.export.export(Net(), (example,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * int(x.size(0))  # CAP803


def main():
    example = torch.randn(8, 3)
    batch = torch.export.Dim("batch", min=2, max=64)
    return torch.export.export(Net(), (example,), dynamic_shapes={"x": {0: batch}})
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Bad(
            """
import torch


def fn(x):
    return torch.stack([row * 2 for row in x])  # CAP803


def main(width=3):
    x = torch.ones(8, width)
    torch._dynamo.mark_dynamic(x, 0)
    return torch.compile(fn, backend="eager")(x)
""",
            entry="main",
            inputs="3",
            outcomes={"export": "unknown", "dynamo": "refused"},
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 1 or x.shape[1] == 3:
            return x + 1
        return x * x.shape[0]


def main():
    example = torch.randn(8, 3)
    return torch.export.export(Net(), (example,), dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}})
""",
            entry="Net()",
            inputs="torch.ones(8, 3)",
            title="another number, another dimension",
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 8:
            return x + 1
        return x - 1


def main():
    example = torch.randn(8, 3)
    return torch.export.export(Net(), (example,), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
""",
            entry="Net()",
            inputs="torch.ones(8, 3)",
            title="a constant is acceptable",
        ),
        Good(
            """
import torch


def fn(x):
    return torch.stack([row * 2 for row in x])


def main(width=3):
    x = torch.ones(8, width)
    torch._dynamo.maybe_mark_dynamic(x, 0)
    return torch.compile(fn, backend="eager")(x)
""",
            entry="main",
            inputs="3",
            title="marked by halves",
        ),
    ]

    def on_operation(self, event: Operation, report: Reporter) -> None:
        if event.operator not in ("Eq", "NotEq"):
            return
        for size, other in ((event.left, event.right), (event.right, event.left)):
            if isinstance(size, Shape) and isinstance(other, Const) and type(other.value) is int and other.value > 1:
                sides = [by for _, example, by in size.dynamic if example == other.value]
                if size.type == "int" and sides:
                    message = f"the example has size {other.value}: this makes it a constant"
                    self._report(event, sides, message, size, report)
                    return

    def on_iterate(self, event: Iterate, report: Reporter) -> None:
        value = event.value
        if event.form not in ("for", "comprehension"):
            return
        if isinstance(value, Tensor):
            sides = [by for dim, _, by in value.dynamic if dim == 0]
        elif isinstance(value, Seq) and value.type == "range" and isinstance(value.element, Shape):
            sides = [by for _, _, by in value.element.dynamic] if value.element.type == "int" else []
        else:
            return
        self._report(event, sides, "the dimension is declared dynamic; a loop makes it a constant", value, report)

    def on_shape_read(self, event: ShapeRead, report: Reporter) -> None:
        value = event.value
        if event.how == "int" and isinstance(value, Shape) and value.type == "int":
            sides = [by for _, _, by in value.dynamic if by == "export"]
            self._report(event, sides, "int() makes a dimension that is declared dynamic a constant", value, report)

    def _report(self, event: Event, sides: list[str], message: str, value: Value, report: Reporter) -> None:
        if sides:
            outcomes: dict[Frontend, Outcome] = {f: "refused" for by in sides for f in _BY[by]}
            report(event, message, value=value, outcomes=outcomes)
