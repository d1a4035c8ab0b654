"""CAP903: an example input of size 1 in a dimension that is said to be dynamic."""

from __future__ import annotations

from analyzer.flow.dynamic_dims import dynamic_dimensions, sizes_of
from analyzer.flow.events import Capture
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Map, Seq


class DynamicDimensionOfSizeOne(Rule):
    """An example input of size 1 (or 0) in a dimension that `dynamic_shapes` declares dynamic.

    ## What it does
    Compares the sizes of example tensors that are made in the call's function (`torch.randn(1, 3, 224, 224)`) with the
    dimensions that `dynamic_shapes` gives to `torch.export.export` or `torch.onnx.export`.

    ## Why it matters
    Sizes 0 and 1 are always specialised, because they broadcast. With `Dim("batch")` or `Dim.DYNAMIC` the export fails
    ("inferred to be a constant (1)"); with `Dim.AUTO` it succeeds and the program accepts size 1 only.

    ## Use instead
    An example with at least two rows: `torch.randn(2, 3, 224, 224)`.

    ## Fix safety
    No fix is offered.

    ## References
    https://github.com/pytorch/pytorch/issues/133653; torch/_export/non_strict_utils.py; measured on torch 2.13.
    """

    code, name = "CAP903", "dynamic-dimension-of-size-one"
    outside = True
    outcomes = {"export": "refused"}
    examples = [
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    example = torch.randn(1, 3)
    batch = torch.export.Dim("batch")
    return torch.export.export(Net(), (example,), dynamic_shapes={"x": {0: batch}})  # CAP903
""",
            entry="Net()",
            outcomes={"export": "unknown"},
        ),
        Good(
            """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


def main():
    example = torch.randn(2, 3)
    batch = torch.export.Dim("batch")
    return torch.export.export(Net(), (example,), dynamic_shapes={"x": {0: batch}})
""",
            entry="Net()",
        ),
    ]

    def on_capture(self, event: Capture, report: Reporter) -> None:
        capture = event.capture
        if capture.api not in ("torch.export.export", "torch.onnx.export", "torch.export.draft_export"):
            return
        shapes = event.kwargs.get("dynamic_shapes")
        example = event.args[0] if event.args else event.kwargs.get("args")
        if shapes is None or example is None:
            return
        inputs = example.items if isinstance(example, Seq) and example.items is not None else (example,)
        specs = (
            tuple(shapes.items.values())
            if isinstance(shapes, Map)
            else shapes.items
            if isinstance(shapes, Seq)
            else None
        )
        if specs is None or len(specs) != len(inputs):
            return
        for value, spec in zip(inputs, specs):
            sizes = sizes_of(value)
            for dimension, _ in dynamic_dimensions(spec):
                if sizes is not None and -len(sizes) <= dimension < len(sizes) and sizes[dimension] in (0, 1):
                    message = f"dimension {dimension} is dynamic, but the example has size {sizes[dimension]} there"
                    report(event, message, value=value)
                    return
