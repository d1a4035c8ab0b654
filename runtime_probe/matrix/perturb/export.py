"""Perturbations of `torch.export`: sizes that change are captured as dynamic ones."""

from __future__ import annotations

import functools
from typing import Callable, Dict, Iterator, List, Sequence, Set, Tuple

import torch

from runtime_probe.matrix import isolate
from runtime_probe.matrix.export import export
from runtime_probe.matrix.perturb.accepted import Plan
from runtime_probe.matrix.perturb.change import Change, Dimension
from runtime_probe.matrix.perturb.once import judge_changes
from runtime_probe.matrix.reference import Ran
from runtime_probe.structure import tensors
from runtime_probe.subject import Instance, Subject


def sessions_of_export(subject: Subject, found: Plan) -> Iterator[Callable[[isolate.Send], None]]:
    """One capture as it is for all changes but those of sizes, and one for each group of dimensions that changes."""
    plain = [(change, ran) for change, ran in found.changes if not change.dimensions]
    yield lambda send: judge_changes(subject, export, plain, send)
    by_group: Dict[Tuple[Dimension, ...], List[Tuple[Change, Ran]]] = {}
    for change, ran in found.changes:
        if change.dimensions:
            by_group.setdefault(change.dimensions, []).append((change, ran))
    for group, changes in by_group.items():
        capture = functools.partial(_capture, group)
        yield functools.partial(_judge, subject, capture, changes)


def _judge(
    subject: Subject, capture: Callable[[Instance], object], changes: Sequence[Tuple[Change, Ran]], send: isolate.Send
) -> None:
    judge_changes(subject, capture, changes, send, " (dynamic)")


def _capture(group: Tuple[Dimension, ...], instance: Instance) -> object:
    args, kwargs = instance.arguments(0, 0)
    order = [path for path, _ in tensors([args, kwargs])]
    seen = iter(order)

    def dynamic(value: torch.Tensor, later: Sequence[object]) -> Set[int]:
        path = next(seen, "")
        return {d for other, d in group if other == path}

    return export(instance, dynamic=dynamic)
