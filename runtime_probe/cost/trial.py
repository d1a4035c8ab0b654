"""What one call of the entry does besides its result: whether it can simply be repeated."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

import torch

from runtime_probe.compare import difference, snapshot
from runtime_probe.cost.changes import attributes, parts_of, written
from runtime_probe.cost.compiled import without_code
from runtime_probe.cost.repeats import LONGEST, Repeats, how_it_repeats
from runtime_probe.dynamo.listen import Listener
from runtime_probe.job import describe
from runtime_probe.matrix import isolate
from runtime_probe.matrix.fullgraph import ignore
from runtime_probe.matrix.reference import changed, counted_compiles, eager
from runtime_probe.report import Break
from runtime_probe.structure import tensors
from runtime_probe.subject import Instance, Memento, Subject, call_with, owner_of


@dataclass
class Trial:
    """One eager call, from a fresh instance. `changes`: state that it leaves otherwise; `mutates`: its arguments are
    not what they were; `written`: the numbers, in `structure.tensors`, of those of its arguments that it writes in
    place, if it changes nothing else of them; `again`: result and arguments of a second call with the same ones, if
    one is timed; `repeats`: what the calls after it do; `grad`: its result waits for a backward pass; `bytes`: what
    its arguments hold."""

    value: Any = None
    inputs: Any = None
    changes: Dict[str, Any] = field(default_factory=dict)
    mutates: bool = False
    written: Optional[List[int]] = None
    again: Optional[List[Any]] = None
    repeats: Repeats = field(default_factory=Repeats)
    grad: bool = False
    cuda: bool = False
    captures: bool = False
    bytes: int = 0
    error: Optional[str] = None


@dataclass
class Captured:
    """One call under Dynamo: its breaks, and how it differs from the eager one."""

    breaks: List[Break] = field(default_factory=list)
    difference: Optional[str] = None


def apart(work: Callable[[], Any], seconds: float) -> Any:
    """What `work` returns, done in a fork where this process can have one; raises `isolate.Ended`."""
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return work()
    return isolate.answer_of(work, seconds)


def eager_trial(subject: Subject) -> Trial:
    """Run the first call eagerly."""
    instance = subject.fresh()
    held = [tensor for _, tensor in tensors(list(instance.arguments(0)))]
    before, memento = instance.state(), instance.memento()
    args, kwargs = instance.arguments(0)
    began = time.monotonic()
    with eager(), counted_compiles() as compiles:
        called = call_with(instance.function, args, kwargs)
    took = time.monotonic() - began
    found = Trial(called.value, called.inputs, captures=bool(compiles))
    if called.error is not None:
        found.error = describe(called.error)
        return found
    found.changes = changed(before, instance.state())
    found.cuda = any(t.device.type == "cuda" for t in [*held, *_parameters(instance)])
    found.bytes = sum(t.numel() * t.element_size() for t in held)
    if took < LONGEST:
        with eager():
            again = call_with(instance.function, args, kwargs)
        found.again = None if again.error is not None else [again.value, again.inputs]
    memento.restore()  # of the program's globals
    _once_more(subject, found)
    if found.repeats.each or found.repeats.anew:
        found.again = None  # each call is the first one
    return found


def _once_more(subject: Subject, found: Trial) -> None:
    """Another eager call, for what is only seen of the arguments and the result themselves."""
    instance = subject.fresh()
    memento = instance.memento()
    args, kwargs = instance.arguments(0)
    given = [args, kwargs]
    held, objects, parts = [snapshot(t) for _, t in tensors(given)], attributes(given, set()), parts_of(given)
    values = snapshot(given)
    began = time.monotonic()
    with eager():
        result = instance.function(*args, **kwargs)
    took = time.monotonic() - began
    found.grad = any(t.requires_grad for _, t in tensors(result))
    kept = difference(objects, attributes(given, set()), exact=True) is None
    found.mutates = not kept or difference(values, snapshot(given), exact=True) is not None
    if found.mutates and kept and parts == parts_of(given):
        found.written = written(held, [t for _, t in tensors(given)])
    memento.restore()
    if took < LONGEST:
        found.repeats = how_it_repeats(subject, found.written, found.mutates and found.written is None)
        if found.repeats.error is not None:
            found.error = f"called again, it fails: {found.repeats.error}"
        if found.repeats.anew:
            found.mutates, found.written = True, None


def _parameters(instance: Instance) -> List[torch.Tensor]:
    owner = owner_of(instance.function)
    return list(owner.parameters()) if isinstance(owner, torch.nn.Module) else []


def put_back(memento: Memento, instance: Instance) -> None:
    """All that a memento holds, but for what Dynamo has put among the program's globals since."""
    names = getattr(instance.module, "__dict__", {})
    installed = {name: value for name, value in names.items() if name.startswith("__")}
    memento.restore()
    names.update(installed)


def captured_trial(subject: Subject, expected: Trial, twice: bool = False) -> Captured:
    """Run the first call under Dynamo, on fresh everything; `twice`: and a second one, which goes on from there."""
    instance = subject.fresh()
    before, memento = instance.state(), instance.memento()
    function = without_code(instance, expected.captures)
    args, kwargs = instance.arguments(0)
    with Listener(ignore) as heard:
        called = call_with(function, args, kwargs)
    after = changed(before, instance.state())
    again = call_with(function, args, kwargs) if twice and expected.again is not None and called.error is None else None
    put_back(memento, instance)
    found = Captured([found for _, found, _ in heard.breaks])
    if called.error is not None:
        found.difference = describe(called.error)
        return found
    found.difference = difference(expected.value, called.value) or difference(
        expected.inputs, called.inputs, "the arguments"
    )
    if again is not None and expected.again is not None and found.difference is None:
        other = [again.value, again.inputs] if again.error is None else describe(again.error)
        found.difference = difference(expected.again, other, "a second call")
    names = [*expected.changes, *(name for name in after if name not in expected.changes)]
    for name in names:
        if found.difference is None:
            found.difference = difference(expected.changes.get(name, before.get(name)), after.get(name), name)
    return found
