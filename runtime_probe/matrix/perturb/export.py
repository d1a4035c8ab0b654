"""Perturbations of `torch.export`: sizes that change are captured as dynamic ones."""

from __future__ import annotations

import functools
from typing import Callable, Dict, Iterator, List, Tuple

from runtime_probe.matrix import isolate
from runtime_probe.matrix.export import export
from runtime_probe.matrix.perturb.accepted import Plan
from runtime_probe.matrix.perturb.change import Change, Dimension
from runtime_probe.matrix.perturb.once import judge_changes
from runtime_probe.matrix.reference import Ran
from runtime_probe.subject import Subject


def sessions_of_export(subject: Subject, found: Plan, apart: bool) -> Iterator[Callable[[isolate.Send], None]]:
    """One capture as it is for all changes but those of sizes, and one for each group of dimensions that changes."""
    groups: Dict[Tuple[Dimension, ...], List[Tuple[Change, Ran]]] = {}
    for change, ran in found.changes:
        groups.setdefault(change.dimensions, []).append((change, ran))
    for dimensions, changes in groups.items():
        capture = functools.partial(export, dynamic=dimensions)
        note = " (dynamic)" if dimensions else ""
        yield functools.partial(judge_changes, subject, capture, changes, apart, note=note)
