"""Capture one program under one frontend, run its calls, and say in the project's words what became of it."""

from __future__ import annotations

import collections
import inspect
import os
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
import torch.fx
import torch.utils._pytree as pytree

from tests.truth import dynamo_log, triton_kernels
from tests.truth.compare import difference, snapshot
from tests.truth.program import Called, Memento, Program, same_file, signature_names, user_lines

_SCRIPT_AT = re.compile(r'File "([^"]+)", line (\d+)')


@dataclass
class Verdict:
    """What a frontend did with a program. `lines`: where, innermost first. `lost`: changes of state that it dropped."""

    outcome: str
    message: str = ""
    lines: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    breaks: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    recompiles: int = 0
    graphs: int = 0
    lost: list[str] = field(default_factory=list)
    bad_calls: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Task:
    """One program with its calls: `calls[0]` captures, the others come later."""

    path: str
    entry: str
    calls: Sequence[str]
    other: str = ""  #: a second version of the program, for `same`

    def load(self) -> Program:
        return Program(self.path, self.entry)

    def seeded(self) -> list[tuple[int, str]]:
        """The calls with their seeds, then the first again under another seed: a frozen random number shows there."""
        return [*enumerate(self.calls), (1000, self.calls[0])]


@dataclass
class Eager:
    """The reference: what each call gives without capture, which calls give something else every time, and the state
    afterwards as far as it is the same every time."""

    calls: list[Called]
    state: dict[str, Any]
    unstable: list[bool]
    changes: bool  #: the first call repeated gives something else without any change of seed or state
    captures: bool  #: the calls themselves call `torch.compile`: the program is run as it is

    @classmethod
    def of(cls, task: Task) -> Eager:
        first, state, captures = _run_eagerly(task)
        second, state_again, _ = _run_eagerly(task)
        unstable = [difference(a.value, b.value, exact=True) is not None for a, b in zip(first, second)]
        steady = {
            k: v for k, v in state.items() if k in state_again and difference(v, state_again[k], exact=True) is None
        }
        return cls(first, steady, unstable, _changes(task), captures)


def _run_eagerly(task: Task) -> tuple[list[Called], dict[str, Any], bool]:
    program = task.load()
    real, compiled = torch.compile, 0

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal compiled
        compiled += 1
        return real(*args, **kwargs)

    with torch.compiler.set_stance("force_eager"):
        torch.compile = counted
        try:
            calls = [program.call(program.eager, text, seed) for seed, text in task.seeded()]
        finally:
            torch.compile = real
    return calls, program.state(), compiled > 0


def _changes(task: Task) -> bool:
    """Whether the first call gives something else when repeated from the same state and seed: it reads a clock."""
    program = task.load()
    memento = Memento(program)
    with torch.compiler.set_stance("force_eager"):
        one = program.call(program.eager, task.calls[0], 0)
        memento.restore()
        two = program.call(program.eager, task.calls[0], 0)
    return difference(one.value, two.value, exact=True) is not None


def judge(task: Task, frontend: str) -> dict[str, Any]:
    """The verdict on one program under one frontend, as plain data. Expects a process of its own."""
    warnings.simplefilter("ignore")
    if frontend == "triton":
        return asdict(_triton(task))
    if frontend == "same":
        return asdict(_same(task))
    if frontend not in _JUDGES:
        return asdict(Verdict("unknown", f"{frontend} cannot be judged on a machine without a GPU"))
    try:
        eager = Eager.of(task)
    except Exception as error:
        if frontend == "script" and "torch/jit" in _files_of(error):
            return asdict(Verdict("refused", _text(error), _script_lines(error, task.path)))
        return asdict(Verdict("unknown", f"the program does not load: {_text(error)}", user_lines(error, task.path)))
    if all(call.error is not None for call in eager.calls):
        text, lines = eager.calls[0].text, user_lines(eager.calls[0].error, task.path)  # type: ignore[arg-type]
        return asdict(Verdict("unknown", f"the program fails without capture: {text}", lines))
    return asdict(_JUDGES[frontend](task, eager))


def _files_of(error: BaseException) -> str:
    names, step = [], error.__traceback__
    while step is not None:
        names.append(step.tb_frame.f_code.co_filename)
        step = step.tb_next
    return " ".join(names)


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: " + " ".join(str(error).split())[:500]


def _script_lines(error: BaseException, path: str) -> list[int]:
    found = [int(n) for file, n in _SCRIPT_AT.findall(str(error)) if same_file(file, path)]
    return found or user_lines(error, path)


def _compare(eager: Eager, got: list[Called]) -> list[dict[str, Any]]:
    """The calls that went otherwise than eagerly: `refused` (an error) or `wrong` (something else without an error)."""
    bad: list[dict[str, Any]] = []
    for number, (expected, actual) in enumerate(zip(eager.calls, got)):
        name: int | str = number if number < len(got) - 1 else "again"
        if expected.error is not None:
            if actual.error is None:
                bad.append({"call": name, "kind": "wrong", "text": f"{_text(expected.error)} is no longer raised"})
        elif actual.error is not None:
            bad.append({"call": name, "kind": "refused", "text": _text(actual.error)})
        else:
            wrong = None if eager.unstable[number] else difference(expected.value, actual.value)
            wrong = wrong or difference(expected.inputs, actual.inputs, "arguments")
            if wrong:
                bad.append({"call": name, "kind": "wrong", "text": wrong})
    frozen = eager.changes and eager.unstable[0] and got[0].error is None and got[-1].error is None
    if frozen and difference(got[0].value, got[-1].value, exact=True) is None:
        bad.append({"call": "again", "kind": "wrong", "text": "a value that changes with every call was frozen"})
    return bad


def _lost_state(eager: Eager, program: Program, captured: Any) -> list[str]:
    """State that eager calls change and the captured object's calls do not."""
    lost = []
    state = program.state()
    for name, expected in eager.state.items():
        if name not in state:
            lost.append(f"{name} is missing")
            continue
        wrong = difference(expected, state[name], name)
        if wrong and name.startswith("entry."):
            try:
                own = captured
                for part in name.split(".")[1:]:
                    own = getattr(own, part)
                wrong = difference(expected, snapshot(own), name)
            except Exception:
                pass
        if wrong:
            lost.append(wrong)
    return lost


# TorchDynamo


def _dynamo(task: Task, eager: Eager, fullgraph: bool = False) -> Verdict:
    log = dynamo_log.Listener(task.path).install()
    program = task.load()
    given = {k: v for k, v in (program.settings or {}).items() if k == "dynamic"}
    torch._dynamo.reset()
    compiled = program.eager
    if not eager.captures:
        compiled = torch.compile(compiled, backend="eager", fullgraph=fullgraph, **given)
    got = [program.call(compiled, text, seed) for seed, text in task.seeded()[:-1]]
    breaks, skipped, graphs = list(log.breaks), list(log.skipped), log.graphs
    per_frame = collections.Counter(r["frame"] for r in log.recompiles)
    recompiles, reasons, limit = max(per_frame.values(), default=0), list(log.recompiles), log.limit
    seed, text = task.seeded()[-1]
    got.append(program.call(compiled, text, seed))
    bad = _compare(eager, got)
    verdict = Verdict("captured", recompiles=recompiles, graphs=graphs, bad_calls=bad)
    verdict.breaks = [asdict(b) for b in breaks]
    verdict.skipped = [s for s in skipped if not s["harmless"]]
    verdict.lost = _lost_state(eager, program, program.eager)
    wrong = [b for b in bad if b["kind"] == "wrong"]
    if wrong:
        return _worst(verdict, "silently_wrong", wrong[0]["text"])
    refused = next((c for c, e in zip(got, eager.calls) if c.error is not None and e.error is None), None)
    if refused is not None and refused.error is not None:
        if type(refused.error).__name__ == "FailOnRecompileLimitHit":
            return _worst(verdict, "recompiles", _text(refused.error))
        verdict.lines = user_lines(refused.error, task.path)
        verdict.ids = dynamo_log.ids_of(refused.error)
        return _worst(verdict, "refused", _text(refused.error))
    for kind, chosen in (
        ("skipped_frame", [b for b in breaks if b.skips]),
        ("graph_break", breaks),
    ):
        if chosen:
            verdict.lines = [b.lines[0] for b in chosen if b.lines]
            verdict.ids = list(dict.fromkeys(i for b in chosen for i in b.ids))
            return _worst(verdict, kind, chosen[0].reason)
    if verdict.lost:
        return _worst(verdict, "silently_wrong", f"state: {verdict.lost[0]}")
    verdict.lines = _guard_lines(reasons, task.path)
    if recompiles > 1 or limit:
        return _worst(verdict, "recompiles", reasons[0]["reason"] if reasons else "")
    if recompiles == 1:
        return _worst(verdict, "guarded", reasons[0]["reason"])
    return verdict


def _guard_lines(reasons: list[dict[str, Any]], path: str) -> list[int]:
    """Lines of the program that failing guards name; torch cuts long paths short."""
    name = re.escape(os.path.basename(path))
    found = [int(n) for r in reasons for n in re.findall(rf"\b{name}(?::|\", line )(\d+)", r["reason"])]
    return list(dict.fromkeys(found))


def _worst(verdict: Verdict, outcome: str, message: str) -> Verdict:
    verdict.outcome, verdict.message = outcome, " ".join(message.split())[:600]
    return verdict


def _fullgraph(task: Task, eager: Eager) -> Verdict:
    return _dynamo(task, eager, fullgraph=True)


# Frontends that make one graph ahead of the calls

Capture = Callable[[Program, Task], Any]


def _ahead(task: Task, eager: Eager, capture: Capture, lines_of: Callable[[BaseException, str], list[int]]) -> Verdict:
    program = task.load()
    memento = Memento(program)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            captured = capture(program, task)
        except Exception as error:
            return Verdict("refused", _text(error), lines_of(error, task.path), dynamo_log.ids_of(error))
    noted = [w.lineno for w in heard if same_file(w.filename, task.path) and "TracerWarning" in w.category.__name__]
    memento.restore()
    got = [program.call(captured, text, seed) for seed, text in task.seeded()]
    bad = _compare(eager, got)
    verdict = Verdict("captured", lines=noted, graphs=1, bad_calls=bad)
    verdict.lost = _lost_state(eager, program, captured)
    wrong = [b for b in bad if b["kind"] == "wrong"]
    if wrong:
        return _worst(verdict, "silently_wrong", f"call {wrong[0]['call']}: {wrong[0]['text']}")
    if bad:
        failed = next(c.error for c, e in zip(got, eager.calls) if c.error is not None and e.error is None)
        if all("Guard failed" in b["text"] for b in bad):  # an exported program checks what it was captured for
            return _worst(verdict, "guarded", f"call {bad[0]['call']}: {bad[0]['text']}")
        verdict.lines = lines_of(failed, task.path) or noted
        return _worst(verdict, "refused", f"call {bad[0]['call']}: {bad[0]['text']}")
    if verdict.lost:
        return _worst(verdict, "silently_wrong", f"state: {verdict.lost[0]}")
    return verdict


def _trace(task: Task, eager: Eager) -> Verdict:
    def capture(program: Program, task: Task) -> Any:
        make: Callable[..., Any] = torch.jit.trace
        args, kwargs = program.arguments(task.calls[0])
        if kwargs:
            return make(program.eager, example_kwarg_inputs=kwargs, check_trace=False)
        return make(program.eager, args, check_trace=False)

    return _ahead(task, eager, capture, user_lines)


def _fx(task: Task, eager: Eager) -> Verdict:
    return _ahead(task, eager, lambda program, _: torch.fx.symbolic_trace(program.eager), user_lines)


def _script(task: Task, eager: Eager) -> Verdict:
    return _ahead(task, eager, lambda program, _: torch.jit.script(program.eager), _script_lines)


def _strict(task: Task, eager: Eager) -> Verdict:
    return _export(task, eager, strict=True)


def _export(task: Task, eager: Eager, strict: bool = False) -> Verdict:
    def capture(program: Program, task: Task) -> Any:
        target = program.eager
        args, kwargs = program.arguments(task.calls[0])
        later = [program.arguments(text) for text in task.calls[1:]]
        module = target if isinstance(target, torch.nn.Module) else _as_module(target)
        shapes = _dynamic_shapes(signature_names(target), (args, kwargs), later)
        exported = torch.export.export(module, args, kwargs, dynamic_shapes=shapes, strict=strict)
        return exported.module()

    return _ahead(task, eager, capture, user_lines)


def _as_module(function: Callable[..., Any]) -> torch.nn.Module:
    """A module that calls the function, with its signature, holding the module that a method is bound to."""

    class Calls(torch.nn.Module):
        def forward(self, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    given = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(function).parameters.values()]
    if given and given[0].kind is not inspect.Parameter.POSITIONAL_ONLY:
        own = [own[0].replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    Calls.forward.__signature__ = inspect.Signature([*own, *given])  # type: ignore[attr-defined]
    module = Calls()
    owner = getattr(function, "__self__", None)
    if isinstance(owner, torch.nn.Module):
        module.owner = owner
    return module


Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def _dynamic_shapes(signature: inspect.Signature, first: Arguments, later: list[Arguments]) -> dict[str, Any] | None:
    """Dimensions whose size a later call changes, as dynamic; None if none does or the calls differ in structure."""

    def spec(value: Any, *others: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return None
        same_rank = [o for o in others if isinstance(o, torch.Tensor) and o.dim() == value.dim()]
        changed = {d for o in same_rank for d in range(value.dim()) if o.shape[d] != value.shape[d]}
        return dict.fromkeys(sorted(changed), torch.export.Dim.AUTO) or None

    try:
        named = dict(signature.bind(*first[0], **first[1]).arguments)
        rest = [dict(signature.bind(*a, **k).arguments) for a, k in later]
        shapes = pytree.tree_map(spec, named, *rest)
    except (TypeError, ValueError):
        return None
    found = pytree.tree_leaves(shapes, is_leaf=lambda v: v is None)
    return shapes if any(leaf is not None for leaf in found) else None


# Two versions of a program


def _same(task: Task) -> Verdict:
    """`captured` if the other version computes the same without capture, else `silently_wrong`."""
    try:
        first, state, _ = _run_eagerly(task)
        second, other_state, _ = _run_eagerly(Task(task.other, task.entry, task.calls))
    except Exception as error:
        return Verdict("refused", _text(error), user_lines(error, task.path))
    unstable = [difference(a.value, b.value, exact=True) is not None for a, b in zip(first, _run_eagerly(task)[0])]
    bad = _compare(Eager(first, state, unstable, False, False), second)
    if not bad and (lost := difference(state, {k: other_state.get(k) for k in state}, "state")):
        return Verdict("silently_wrong", lost)
    return Verdict("silently_wrong", bad[0]["text"], bad_calls=bad) if bad else Verdict("captured")


# Triton


def _triton(task: Task) -> Verdict:
    """Kernels are compiled; an entry that is a plain function is called as well: it launches them, up to the driver."""
    try:
        program = task.load()
    except Exception as error:
        return Verdict("refused", _text(error), user_lines(error, task.path))
    kernels = triton_kernels.kernels_of(program)
    for kernel, signature, constants in kernels:
        failure = triton_kernels.compile_kernel(kernel, signature, constants)
        if failure is not None:
            return Verdict("refused", failure.message, failure.lines)
    if inspect.isfunction(program.entry):
        launched = program.call(program.entry, task.calls[0], 0)
        if launched.error is not None and "active drivers" not in launched.text:
            lines = user_lines(launched.error, task.path)
            return Verdict("refused" if lines else "unknown", launched.text, lines)
    return Verdict("captured", graphs=len(kernels)) if kernels else Verdict("unknown", "no kernel found")


_JUDGES: dict[str, Callable[[Task, Eager], Verdict]] = {
    "dynamo": _dynamo,
    "fullgraph": _fullgraph,
    "trace": _trace,
    "fx": _fx,
    "script": _script,
    "export": _export,
    "strict": _strict,
}
