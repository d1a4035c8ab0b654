"""Runs the user's file as a program, and probes what it captures with the arguments that it really passes.

The capture calls of torch are replaced while it runs: what is compiled runs under TorchDynamo with graphs run eagerly
(the same is captured, and nothing is generated), and at the first call of each captured object this process is forked,
once for each other part: the fork has the object, its state and its arguments exactly as the program left them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import types
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch

from runtime_probe.dynamo.listen import Listener
from runtime_probe.dynamo.run import outcome_of, unless_blind
from runtime_probe.job import Emit, Job
from runtime_probe.matrix.reference import reference_of
from runtime_probe.subject import Arguments, ObjectSubject, shown_call, uncaptured

#: Later calls of one object that are told as its inputs; of the others only their number.
_SHOWN_CALLS = 8

#: What `torch.compile` calls to generate code, if this torch has it.
_INDUCTOR = getattr(torch, "_TorchCompileInductorWrapper", None)


@dataclass
class Captured:
    """One object that the program captured. `how`: the call that captured it."""

    number: int
    name: str
    function: Any
    how: str
    settings: Dict[str, Any] = field(default_factory=dict)
    calls: int = 0
    inputs: List[str] = field(default_factory=list)
    breaks: List[Any] = field(default_factory=list)
    recompiles: List[Any] = field(default_factory=list)


class Run:
    """One run of the file. `emit` tags each event with the object that it is about."""

    def __init__(self, job: Job, emit: Emit) -> None:
        self.job = job
        self._emit = emit
        self.found: List[Captured] = []
        self.heard = Listener(emit)
        self.depth = 0
        self._capturing = 0
        self._scripted: Dict[int, Tuple[Any, Captured]] = {}
        self.module = types.ModuleType("__main__")
        self._real: Dict[Tuple[Any, str], Any] = {}
        self._hooks: Dict[Tuple[Any, str], Any] = {}
        self._inside: Dict[Tuple[Any, str], Any] = {}

    # the program

    def execute(self) -> None:
        """Run the file to its end; raises what the program raises."""
        path = self.job.path
        module = self.module
        vars(module).update(__file__=path, __builtins__=__builtins__)
        if "." in self.job.module:
            vars(module)["__package__"] = self.job.module.rpartition(".")[0]
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec")
        sys.modules["__main__"] = module
        with self.heard, self._hooked():
            try:
                exec(code, vars(module))
            except SystemExit as error:
                if error.code not in (None, 0):
                    raise

    def tell_evaluated(self, captured: Captured) -> None:
        """What the compilations of an object evaluated. One that only ran the code of others made of the same function
        is told what theirs did."""
        numbers = [captured.number]
        if captured.how == "torch.compile" and not self.heard.compiled(captured.number):
            numbers += [one.number for one in self.found if one.name == captured.name and one is not captured]
        for number in numbers:
            self.heard.about(number, self.emit_for(captured))
            self.heard.tell_evaluated()

    def emit_for(self, captured: Captured) -> Emit:
        """Sends events about one object."""
        return lambda event: self._emit({**event, "of": captured.number})

    # hooks

    @contextlib.contextmanager
    def _hooked(self) -> Iterator[None]:
        around: Dict[Tuple[Any, str], Any] = {
            (torch, "compile"): self._compile,
            (torch.jit, "trace"): self._trace,
            (torch.fx, "symbolic_trace"): self._symbolic_trace,
            (torch.jit, "script"): self._script,
            (torch.export, "export"): self._export,
            (torch.jit.ScriptFunction, "__call__"): self._call_script,
            (torch.jit._script.RecursiveScriptModule, "__call__"): self._call_script,
        }
        if _INDUCTOR is not None:
            around[_INDUCTOR, "__call__"] = _not_generated
        self._real = {(owner, name): getattr(owner, name) for owner, name in around}
        self._hooks = {key: _around(function, self._real[key]) for key, function in around.items()}
        generators = {key: hook for key, hook in self._hooks.items() if key[0] is _INDUCTOR}
        self._inside = {**self._real, **generators}
        _put(self._hooks)
        try:
            yield
        finally:
            _put(self._real)

    def _compile(self, real: Any, model: Any = None, **given: Any) -> Any:
        if model is None:
            return lambda target: self._compile(real, target, **given)
        kept = {name: value for name, value in given.items() if name in ("dynamic", "disable")}
        compiled = real(model, backend="eager", **kept)
        if given.get("disable"):
            return compiled
        captured = self._note(model, "torch.compile", given)
        return self._listening(captured, compiled)

    def _listening(self, captured: Captured, compiled: Any) -> Any:
        """The compiled object, with its calls noted."""
        if isinstance(compiled, torch.nn.Module):
            inner = compiled.forward
            compiled.forward = self._noted(captured, inner)
            return compiled

        noted = self._noted(captured, compiled)
        functools.update_wrapper(noted, compiled)
        if hasattr(noted, "_torchdynamo_wrapper_id"):  # by it torch knows what is compiled already
            noted._torchdynamo_wrapper_id = id(noted)
        return noted

    def _noted(self, captured: Captured, compiled: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling() or self.depth:
                return compiled(*args, **kwargs)
            return self._outermost(captured, compiled, (args, kwargs))

        return call

    def _outermost(self, captured: Captured, compiled: Callable[..., Any], call: Arguments) -> Any:
        self._arrived(captured, call)
        before = (len(self.heard.breaks), len(self.heard.recompiles), len(self.heard.skipped))
        self.heard.about(captured.number, self.emit_for(captured))
        self.heard.call = captured.calls - 1
        self.depth += 1
        _put(self._inside)  # TorchDynamo knows the real functions, and would translate the hooks
        try:
            return compiled(*call[0], **call[1])
        finally:
            _put(self._hooks)
            self.depth -= 1
            self._tell_outcome(captured, before)

    def _trace(self, real: Any, func: Any, example_inputs: Any = None, *rest: Any, **given: Any) -> Any:
        if self._capturing:
            return real(func, example_inputs, *rest, **given)
        captured = self._note(func, "torch.jit.trace", {})
        examples = example_inputs if isinstance(example_inputs, (tuple, list)) else (example_inputs,)
        kwargs = given.get("example_kwarg_inputs") or {}
        self._arrived(captured, (() if example_inputs is None else tuple(examples), dict(kwargs)), also_dynamo=True)
        return self._made(real, func, example_inputs, *rest, **given)

    def _export(self, real: Any, mod: Any, args: Any = (), kwargs: Any = None, **given: Any) -> Any:
        if self._capturing:
            return real(mod, args, kwargs, **given)
        captured = self._note(mod, "torch.export.export", {})
        self._arrived(captured, (tuple(args), dict(kwargs or {})), also_dynamo=True)
        return self._made(real, mod, args, kwargs, **given)

    def _script(self, real: Any, obj: Any, *rest: Any, **given: Any) -> Any:
        """Noted are functions and modules; a class of TorchScript is nothing that is called with tensors."""
        if self._capturing or isinstance(obj, type):
            return real(obj, *rest, **given)
        captured = self._note(obj, "torch.jit.script", {})
        made = self._made(real, obj, *rest, **given)
        self._scripted[id(made)] = (made, captured)
        return made

    def _call_script(self, real: Any, scripted: Any, *args: Any, **kwargs: Any) -> Any:
        """The first call of what was scripted shows the arguments."""
        _, captured = self._scripted.get(id(scripted), (None, None))
        if captured is not None and not captured.calls and not self._capturing and not torch.compiler.is_compiling():
            self._arrived(captured, (args, kwargs), also_dynamo=True)
        return real(scripted, *args, **kwargs)

    def _made(self, real: Any, *args: Any, **given: Any) -> Any:
        """What a capture call returns. Captures that torch makes of its own while it does that are not the file's: a
        trace is traced again to check it, a script scripts what it calls."""
        self._capturing += 1
        try:
            return real(*args, **given)
        finally:
            self._capturing -= 1

    def _symbolic_trace(self, real: Any, root: Any, *rest: Any, **given: Any) -> Any:
        if self._capturing:
            return real(root, *rest, **given)
        captured = self._note(root, "torch.fx.symbolic_trace", {})
        made = self._made(real, root, *rest, **given)
        if isinstance(made, torch.nn.Module):  # its first call shows the arguments
            inner = made.forward

            def forward(*args: Any, **kwargs: Any) -> Any:
                if not captured.calls and not torch.compiler.is_compiling():
                    self._arrived(captured, (args, kwargs), also_dynamo=True)
                return inner(*args, **kwargs)

            made.forward = forward
        return made

    # what is known about an object

    def _note(self, target: Any, how: str, settings: Dict[str, Any]) -> Captured:
        target = _owner(uncaptured(target))
        kind = type(target) if isinstance(target, torch.nn.Module) else target
        name = str(getattr(kind, "__qualname__", None) or type(target).__qualname__).replace("<locals>.", "")
        captured = Captured(len(self.found), name, target, how, settings)
        self.found.append(captured)
        return captured

    def _arrived(self, captured: Captured, call: Arguments, also_dynamo: bool = False) -> None:
        """A call with real arguments: the first one is probed in forks of this process."""
        captured.calls += 1
        if len(captured.inputs) < _SHOWN_CALLS:
            captured.inputs.append(shown_call(call))
            event = {"event": "entry", "entry": captured.name, "inputs": list(captured.inputs), "synthesised": False}
            self.emit_for(captured)(event)
        if captured.calls > 1:
            return
        from runtime_probe.worker import can_fork, fork_part

        parts = self.job.parts_for(*_names(captured))
        names = [name for name in parts if also_dynamo or name != "dynamo"]
        if not names or not can_fork():
            return
        path, settings = self.job.path, captured.settings
        subject = ObjectSubject(path, captured.name, captured.function, [call], self.module, settings)
        with self._quiet():
            reference_of(subject, self.job.limits.part)
            for name in names:
                fork_part(name, subject, self.emit_for(captured), self.job)

    @contextlib.contextmanager
    def _quiet(self) -> Iterator[None]:
        """Inside, and in the forks made there, nothing is heard of and nothing is hooked."""
        self.heard.pause()
        _put(self._real)
        try:
            yield
        finally:
            _put(self._hooks)
            self.heard.resume()

    def _tell_outcome(self, captured: Captured, before: Tuple[int, int, int]) -> None:
        """The verdict of TorchDynamo so far, from this object's calls alone."""
        captured.breaks += self.heard.breaks[before[0] :]
        captured.recompiles += self.heard.recompiles[before[1] :]
        skipped = self.heard.skipped[before[2] :]
        judged = outcome_of(captured.breaks, captured.recompiles, self.heard.limit, skipped)
        judged = unless_blind(judged, self.job)
        verdict = judged.verdict(captured.inputs)
        self.emit_for(captured)({"event": "verdict", "frontend": "dynamo", "verdict": verdict})


def _not_generated(real: Any, wrapper: Any, module: Any, inputs: Any) -> Any:
    """Stands for Inductor: the graph run eagerly."""
    return module.forward


def _around(hook: Callable[..., Any], real: Any) -> Callable[..., Any]:
    """A hook with what it stands for; a plain function, so that it is a method where it is put into a class."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return hook(real, *args, **kwargs)

    return call


def _put(functions: Dict[Tuple[Any, str], Any]) -> None:
    for (owner, name), function in functions.items():
        setattr(owner, name, function)


def _owner(target: Any) -> Any:
    """The module of a bound `forward` or of the call that `Module.compile` compiles, else the target itself."""
    owner = getattr(target, "__self__", None)
    if isinstance(owner, torch.nn.Module) and getattr(target, "__name__", "") in ("forward", "_call_impl"):
        return owner
    return target


def _names(captured: Captured) -> Tuple[str, ...]:
    """The class of a module, and its `forward`, which may be of a base class."""
    forward = getattr(type(captured.function), "forward", None)
    own = isinstance(captured.function, torch.nn.Module)
    return (
        (captured.name, str(getattr(forward, "__qualname__", "")).replace("<locals>.", "")) if own else (captured.name,)
    )


def run_program(job: Job, emit: Emit) -> None:
    """Run the file under `__main__`. What it captures and calls is told; then what it captures and never calls, or,
    where it captures nothing, its modules and functions, with inputs made up."""
    run = Run(job, emit)
    failure: Optional[str] = None
    emit({"event": "part", "name": "program", "pid": os.getpid()})
    try:
        from runtime_probe.worker import Refused, guarded

        guarded(run.execute, job, "runs it")
    except Refused as error:
        failure = str(error)
    for captured in run.found:
        if captured.calls:
            run.tell_evaluated(captured)
    if failure is not None:
        emit({"event": "failed", "message": failure})
    else:
        emit({"event": "done", "name": "program"})
    uncalled = list(dict.fromkeys(captured.name for captured in run.found if not captured.calls))
    if uncalled:
        emit({"event": "left", "entries": uncalled})
    elif not run.found:
        emit({"event": "discover"})
