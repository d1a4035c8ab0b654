"""CAP415: annotations that are no TorchScript types"""

from __future__ import annotations

from analyzer.flow.script_events import ScriptAnnotation
from analyzer.rule import Bad, Good, Reporter, Rule


class UnscriptableAnnotation(Rule):
    """Annotations that name no TorchScript type.

    ## What it does
    Finds annotations of parameters, results and variables in compiled functions that are `Sequence`,
    `Iterable`, `Callable`, `Literal`, `Set`, `Mapping`, `object`, `bytes`, `torch.Size`, `np.ndarray` or a
    tuple of any length.

    ## Why it matters
    TorchScript takes its types from the annotations and knows only a few: the root is refused although the code
    would run.

    ## Use instead
    `List[int]` for sequences and sizes, `str` for a Literal, `Dict` for Mapping, a tuple with every element
    named, or `Any`.

    ## Fix safety
    No fix is offered.

    ## References
    TorchScript language reference (https://docs.pytorch.org/docs/stable/jit_language_reference.html).
    Measured on torch 2.13.
    """

    code, name = "CAP415", "unscriptable-annotation"
    outcomes = {"script": "refused"}
    examples = [
        Bad(
            """
import numpy as np
import torch


def fn(x: np.ndarray):  # CAP415
    return x
""",
            title="a type of NumPy",
        ),
        Bad(
            """
from typing import Sequence
import torch


def fn(x, sizes: Sequence[int]):  # CAP415
    return x * sizes[0]
""",
            inputs="(torch.ones(3), [1, 2])",
        ),
        Bad(
            """
from typing import Tuple
import torch


def fn(x, sizes: Tuple[int, ...]):  # CAP415
    return x * sizes[0]
""",
            inputs="(torch.ones(3), (1, 2))",
        ),
        Good(
            """
from typing import Dict, List, Optional, Tuple
import torch


def fn(x, sizes: List[int], pair: Optional[Tuple[int, int]] = None, table: Optional[Dict[str, float]] = None):
    return x * sizes[0]
""",
            inputs="(torch.ones(3), [1, 2])",
            outcomes={"script": "captured"},
        ),
    ]

    def on_script_annotation(self, event: ScriptAnnotation, report: Reporter) -> None:
        report(event, event.text)
