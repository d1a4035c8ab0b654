"""The part `settings`: arguments of `torch.compile`, each tried in a process of its own against the eager program."""

from __future__ import annotations

import functools
import math
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch

from runtime_probe.cost import compiled
from runtime_probe.cost.allocator import keep_memory
from runtime_probe.cost.contender import Contender
from runtime_probe.cost.guards import Watch
from runtime_probe.cost.part import Clock
from runtime_probe.cost.result import race, setting_of
from runtime_probe.cost.trial import Captured, Trial, apart, captured_trial, eager_trial
from runtime_probe.job import Emit, Job, describe
from runtime_probe.matrix import isolate
from runtime_probe.report import Setting
from runtime_probe.subject import Instance, Subject, owner_of

Make = Callable[[Instance], Callable[..., Any]]


class Tried(NamedTuple):
    """`arguments` as they are written, and how to compile with them."""

    arguments: str
    make: Make


def run(subject: Subject, emit: Emit, job: Job) -> None:
    """Try all that apply, in the given time; what was tried is told after each, the fastest first."""
    try:
        _run(subject, emit, job, Clock(job, "settings"))
    except isolate.Ended as error:
        emit({"event": "settings", "settings": [setting_of("", None, None, str(error))]})


def _run(subject: Subject, emit: Emit, job: Job, clock: Clock) -> None:
    trial: Trial = apart(lambda: eager_trial(subject), clock.left)
    if job.options.get("fake") or trial.error is not None or trial.captures:
        reason = trial.error or ("it compiles by itself" if trial.captures else "tensors without data cannot be timed")
        emit({"event": "settings", "settings": [setting_of("", None, None, reason)]})
        return
    as_it_is: Captured = apart(lambda: captured_trial(subject, trial), clock.left)
    tries: List[Tuple[str, Any]] = apart(lambda: _named(subject, trial, bool(as_it_is.breaks)), clock.left)
    keep_memory()
    compiled.prepare()
    rows: List[Setting] = []
    with compiled.fresh_cache() as folder:
        apart(functools.partial(_warm_up, job), clock.left)
        for number, (arguments, how) in enumerate(tries):
            tried = Tried(arguments, _make_of(how))
            seconds = clock.left / (len(tries) - number)
            rows.append(_row(subject, trial, tried, job, folder, seconds, clock.left))
            emit({"event": "settings", "settings": sorted(rows, key=_rank)})


def _rank(row: Setting) -> Tuple[bool, float]:
    ratio = row["ratio"]
    return ratio is None, -ratio if ratio is not None else math.inf


def _warm_up(job: Job) -> None:
    compiled.use_threads(job.options.get("threads"))
    compiled.warm_up()


def _named(subject: Subject, trial: Trial, breaks: bool) -> List[Tuple[str, Any]]:
    """The settings that apply: how they are written, and either keyword arguments or the lists of blocks to compile."""
    instance = subject.fresh()
    own = instance.settings
    wanted: List[Dict[str, Any]] = [{"dynamic": True}]
    if own.get("dynamic"):
        wanted = [{"dynamic": False}, {"dynamic": None}]
    if not breaks and not own.get("fullgraph"):
        wanted.append({"fullgraph": True})
    modes = ["max-autotune"]
    if trial.cuda:
        modes = ["reduce-overhead", "max-autotune-no-cudagraphs", *modes]
    if own.get("backend", "inductor") == "inductor" and not own.get("options"):
        wanted += [{"mode": mode} for mode in modes if mode != own.get("mode")]
    named = [(", ".join(f"{name}={value!r}" for name, value in one.items()), one) for one in wanted]
    lists = blocks_of(instance)
    regional = [(f"each block of {', '.join(lists)} by itself", lists)] if lists else []
    return [("", {}), *named[:-1], *regional, *named[-1:]]  # the slowest to compile last


def blocks_of(instance: Instance) -> List[str]:
    """The names of lists of modules of one class, which have modules in them."""
    owner = owner_of(instance.function)
    if not isinstance(owner, torch.nn.Module):
        return []
    found: List[str] = []
    for name, module in owner.named_modules():
        blocks = list(module) if isinstance(module, (torch.nn.ModuleList, torch.nn.Sequential)) else []
        if len(blocks) > 1 and len({type(block) for block in blocks}) == 1 and list(blocks[0].children()):
            if name and not any(name.startswith(outer + ".") for outer in found):
                found.append(name)
    return found


def _make_of(how: Any) -> Make:
    if isinstance(how, dict):
        return lambda instance: compiled.for_timing(instance, False, **how)
    return lambda instance: _regional(instance, how)


def _regional(instance: Instance, lists: List[str]) -> Callable[..., Any]:
    owner = owner_of(instance.function)
    for name in lists:
        for block in owner.get_submodule(name):
            block.compile(**{k: v for k, v in instance.settings.items() if k != "fullgraph"})
    return instance.function  # type: ignore[no-any-return]


def _row(subject: Subject, trial: Trial, tried: Tried, job: Job, warmed: str, seconds: float, most: float) -> Setting:
    try:
        row: Setting = apart(lambda: _tried(subject, trial, tried, job, warmed, seconds), most)
    except isolate.OutOfTime:
        return setting_of(tried.arguments, None, None, "there was no time to compile it: raise it with --budget")
    except Exception as error:
        return setting_of(tried.arguments, None, None, describe(error))
    return row


def _tried(subject: Subject, trial: Trial, tried: Tried, job: Job, warmed: str, seconds: float) -> Setting:
    clock = _Until(seconds)
    torch._dynamo.reset()
    with compiled.fresh_cache(warmed), Watch() as watch:
        compiled.use_threads(job.options.get("threads"))
        cold: Optional[float] = None
        try:
            eager = Contender(subject, trial, watch, None)
            eager.warm()
            contender = Contender(subject, trial, watch, tried.make, like=eager)
            contender.warm()
            cold = contender.cold
            return setting_of(tried.arguments, race([eager, contender], clock.left()), cold, "")
        except Exception as error:
            return setting_of(tried.arguments, None, cold, describe(error))


class _Until:
    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        return max(2.0, self._ends - time.monotonic())
