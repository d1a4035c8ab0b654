"""Runs an analysis: reads the files, finds the roots, interprets what they reach, and turns reports into findings."""

from __future__ import annotations

import ast
import gc
import importlib
import re
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from analyzer.api import Options, Report, Surroundings, may_capture
from analyzer.facts import body_facts
from analyzer.finding import FileError, Fix, RootPlace
from analyzer.findings import FindingSet, Key
from analyzer.flow import events as ev
from analyzer.flow.dynamic_dims import declared
from analyzer.flow.frame import Frame, Run, reachable
from analyzer.flow.interpreter import Interpreter, mark
from analyzer.flow.reporting import Sink, span
from analyzer.flow.usage import array_parameters
from analyzer.merge import merge
from analyzer.outcome import FRONTENDS, Frontend, Outcome
from analyzer.project import FunctionInfo, ModuleInfo, Project
from analyzer.registry import all_rules
from analyzer.roots import CAPTURE_WORDS, CaptureCall, Root, by_release, capture_api
from analyzer.rule import Rule
from analyzer.values import (
    Bound,
    Class,
    Const,
    Function,
    Instance,
    Map,
    Partial,
    Seq,
    Static,
    Tensor,
    Union,
    Unknown,
    Value,
    Why,
    join,
    options_of,
)

T = TypeVar("T")
_STACK = 512 * 1024 * 1024
_RECURSION = 12_000
_ALL: frozenset[Frontend] = frozenset(FRONTENDS)
MANY_VALUES = 3  #: different constants from which on an argument is said to vary
_CAMEL = re.compile(r"(?<!^)(?=[A-Z])")
#: Methods that no capture enters by itself.
_NO_ROOTS = frozenset(
    """__init__ __new__ __init_subclass__ __repr__ __str__ __del__ __getstate__ __setstate__ extra_repr
        reset_parameters init_weights _init_weights __post_init__ __reduce__ __hash__""".split()
)
#: Functions of torch itself that Dynamo skips when they are captured: it compiles what they call, or nothing.
_NEVER_TRACED = frozenset(
    {
        "torch.nn.modules.module.Module._call_impl",
        *(f"torch.nn.modules.rnn.{name}.forward" for name in ("RNN", "LSTM", "GRU")),
    }
)
_STEP_METHODS = ("forward", "training_step", "validation_step", "test_step", "predict_step")


#: The engine of the last run: its trees are let go when the next run begins, or not at all if the process ends first.
_last: list[Engine] = []


def run(
    files: Sequence[str],
    options: Options,
    sources: Mapping[str, str],
    progress: Callable[[str], None] | None = None,
    around: Surroundings | None = None,
    kept: list[Project] | None = None,
) -> Report:
    """`analyzer.api.analyze` in a thread whose stack fits deep code.

    `kept`: holds the files that the earlier parts of this run have read; empty for the first part. What was found out
    about functions is not kept: it is bounded, and which part comes first must not be seen.
    """

    def analysis() -> Report:
        checked = around.checked if around is not None else frozenset(files)
        capturing = around.capturing if around is not None else ()
        _last[:] = [Engine(options, checked, project=kept[0] if kept else None)]
        if kept is not None:
            kept[:] = [_last[0].project]
        return _last[0].run(files, sources, progress, capturing)

    return with_deep_stack(analysis)


def with_deep_stack(action: Callable[[], T]) -> T:
    """Do it in a thread whose stack fits deep code."""
    result: list[T] = []
    failure: list[BaseException] = []

    def target() -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, _RECURSION))
        collecting = gc.isenabled()
        gc.disable()  # trees and values live until the end: collecting would only walk them again and again
        try:
            result.append(action())
        except BaseException as error:
            failure.append(error)
        finally:
            sys.setrecursionlimit(limit)
            if collecting:
                gc.enable()

    size = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=target, name="analysis", daemon=True)
        thread.start()
    finally:
        threading.stack_size(size)
    while thread.is_alive():
        thread.join(0.2)
    if failure:
        raise failure[0]
    return result[0]


def handler_name(event: type[ev.Event]) -> str:
    """`on_truth_test` for TruthTest."""
    return "on_" + _CAMEL.sub("_", event.__name__).lower()


if TYPE_CHECKING:
    from analyzer.flow.kernel_events import KernelEvent

#: (rule, its claims for the torch version, the bound method)
Handler = tuple[type[Rule], dict[Frontend, Outcome], Callable[..., None]]


class Engine:
    """State of one analysis."""

    def __init__(
        self, options: Options, checked: frozenset[str], further: bool = False, project: Project | None = None
    ) -> None:
        """`further`: more files of the run may follow those of the first call of `run`; `project`: what was read by
        others with the same options."""
        self.options = options
        self.project = project or Project(options.search_paths, options.site_paths, {}, checked)
        self._further = further
        self._prepared = False
        self._searched: set[str] = set()  #: files whose capture calls are known
        self.sink = Sink(options.torch)
        self.handlers: dict[tuple[type[ev.Event], bool], list[Handler]] = {}
        self._by_name: dict[tuple[str, bool], list[Handler]] = {}
        self.roots: dict[int, Root] = {}
        self.driver_runs: list[Run] = []
        self.errors: list[FileError] = []

    def _prepare(self, modules: Sequence[ModuleInfo]) -> None:
        """Choose the rules that can have a say in these files, and make the interpreter."""
        if self._prepared:
            return
        self._prepared = True
        without: list[str] = []
        if not self._further and not any("triton" in m.source.text for m in modules):
            without.append("cap7")
        chosen = self.options.frontends or (*self.options.default_frontends, *self._named_frontends(modules))
        if not self._further and "script" not in chosen:
            without.append("cap40")
        chosen_rules = (rule for rule in all_rules(tuple(without)) if _selected(rule, self.options))
        self.rules = [rule for rule in chosen_rules if rule.applies(self.options.torch)]
        self.handlers = self._handlers("cap7" not in without, "cap40" not in without)
        self.interp = self._interpreter(frozenset(kind for kind, _ in self.handlers))

    def _interpreter(self, wanted: frozenset[type[ev.Event]]) -> Interpreter:
        return Interpreter(self.project, self._dispatch, wanted, self._on_capture, self._on_captured_call)

    def _named_frontends(self, modules: Sequence[ModuleInfo]) -> tuple[Frontend, ...]:
        """The frontends of their own language that a capture call of these files may use."""
        return ("script",) if any("script" in m.source.text for m in modules) else ()

    def _handlers(self, kernels: bool, scripts: bool) -> dict[tuple[type[ev.Event], bool], list[Handler]]:
        """Handlers by event class and by whether the event is outside any capture."""
        languages = [vars(ev)]
        if kernels:
            languages.append(vars(importlib.import_module("analyzer.flow.kernel_events")))
        if scripts:
            languages.append(vars(importlib.import_module("analyzer.flow.script_events")))
        kinds = [
            v
            for names in languages
            for v in names.values()
            if isinstance(v, type) and issubclass(v, ev.Event) and not v.__subclasses__()
        ]
        found: dict[tuple[type[ev.Event], bool], list[Handler]] = {}
        for rule in self.rules:
            instance = rule()
            claims = rule.claims(self.options.torch)
            for kind in kinds:
                handler = getattr(instance, handler_name(kind), None)
                if handler is None:
                    continue
                for outside in (False, True):
                    if rule.outside is outside or kind is ev.Capture:
                        found.setdefault((kind, outside), []).append((rule, claims, handler))
        return found

    def _dispatch(self, event: ev.Event, frame: Frame) -> None:
        self._tell(event, frame.module, frame.run, frame.driver)

    def _tell(self, event: ev.Event, module: ModuleInfo, run_: Run, outside: bool = False) -> None:
        handlers = self._handlers_of(event, outside)
        if not handlers:
            return
        sink = self.sink
        sink.module = module
        sink.findings = run_.findings
        for sink.rule, sink.claims, handler in handlers:
            handler(event, sink)

    def _handlers_of(self, event: ev.Event, outside: bool) -> list[Handler]:
        """The handlers that may have something to say; of calls, by the name of what is called."""
        if type(event) is not ev.Call:
            return self.handlers.get((type(event), outside), [])
        key = (event.name, outside)
        known = self._by_name.get(key)
        if known is None:
            handlers = self.handlers.get((ev.Call, outside), [])
            known = self._by_name[key] = [h for h in handlers if h[0].speaks_of(event.name)]
        return known

    # -- the run ------------------------------------------------------------------------------------------------

    def run(
        self,
        files: Sequence[str],
        sources: Mapping[str, str],
        progress: Callable[[str], None] | None,
        capturing: Sequence[str] = (),
    ) -> Report:
        """Analyse the roots of `files`; `capturing` are other files of the run whose capture calls may make them
        roots."""
        self.project.sources.update(sources)
        modules: list[ModuleInfo] = []
        for path in files:
            module = self.project.load(path)
            if isinstance(module, FileError):
                self.errors.append(module)
            else:
                self.errors.extend(module.errors)
                modules.append(module)
        own = {m.path for m in modules}
        others = [m for p in capturing if p not in own and isinstance(m := self.project.load(p), ModuleInfo)]
        self._prepare([*modules, *others])
        for module in sorted([*modules, *others], key=lambda m: m.path):
            if module.path not in self._searched:
                self._searched.add(module.path)
                self._guarded(module, self._find_captures, module)
        self._add_uncaptured(modules)
        by_owner: dict[str, list[Root]] = {path: [] for path in own}
        for root in self.roots.values():
            path = root.info.module.path
            if path not in self.project.checked and root.captures:  # the call that captures it stands for it
                path = min(call.path for call in root.captures)
            if path in own:
                by_owner[path].append(root)
        report = Report(errors=self.errors)
        fixes: dict[Key, tuple[Fix, ...]] = {}
        for module in modules:
            findings = self._finding_set(fixes)
            reached: set[int] = set()
            places: list[RootPlace] = []
            for root in self._outer_first(by_owner[module.path]):
                if f"{root.info.module.name}.{root.info.qualname}" in _NEVER_TRACED:
                    continue
                if id(root.info.node) in reached and not root.captures and self.options.roots == "auto":
                    continue  # called by another root of its file: analysed there, for the arguments that it gets
                places.append(self._place_of(root))
                self._guarded(root.info.module, self._analyse_root, root, findings, reached)
                if "script" in (self.options.frontends or root.frontends):
                    self._guarded(root.info.module, self._script, root, findings)
            for driver in self.driver_runs:
                if driver.info.module is module:
                    findings.add_driver(driver)
            self._guarded(module, self._kernels, module, findings)
            report.by_file[module.path] = findings.build()
            report.roots[module.path] = tuple(sorted(places, key=lambda place: (place.line, place.label)))
            if progress is not None:
                progress(module.path)
        report.findings = merge(report.by_file.values())
        report.errors = [
            e for e in self.errors if e.path in own or e.path not in self.project.checked or e.path in files
        ]
        for module in modules:
            report.dependencies[module.path] = self._dependencies(module)
        return report

    def _place_of(self, root: Root) -> RootPlace:
        calls = {
            (call.path, *span(module, call.node))
            for call in root.captures
            if (module := self._module_of(call.path)) is not None
        }
        line = getattr(root.info.node, "lineno", 1)
        frontends = tuple(sorted(root.frontends))
        return RootPlace(root.label, line, frontends, bool(root.captures), tuple(sorted(calls)))

    def _finding_set(self, fixes: dict[Key, tuple[Fix, ...]]) -> FindingSet:
        return FindingSet(frozenset(self.options.frontends), self._module_of, fixes, self.options.torch)

    def _guarded(self, module: ModuleInfo, action: Callable[..., None], *args: Any) -> None:
        """A crash in one file is an error line; the other files are still checked."""
        try:
            action(*args)
        except RecursionError:
            self.errors.append(FileError(module.path, 1, "nested", "the code is nested too deeply to be analysed"))
        except Exception as error:
            import traceback

            frames = traceback.extract_tb(error.__traceback__)
            where = f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else ""
            message = f"internal error, please report it: {type(error).__name__}: {error} ({where})"
            self.errors.append(FileError(module.path, 1, "internal", message))

    def _module_of(self, path: str) -> ModuleInfo | None:
        module = self.project.load(path)
        return module if isinstance(module, ModuleInfo) else None

    def _dependencies(self, module: ModuleInfo) -> tuple[str, ...]:
        seen: set[str] = set()
        stack = [module.path]
        while stack:
            path = stack.pop()
            if path in seen:
                continue
            seen.add(path)
            known = self.project.load(path)
            if isinstance(known, ModuleInfo):
                stack.extend(known.resolved - seen)
        seen.discard(module.path)
        return tuple(sorted(seen))

    # -- roots --------------------------------------------------------------------------------------------------

    def _find_captures(self, module: ModuleInfo) -> None:
        if not may_capture(module.source.text):
            return
        from analyzer.flow.evaluator import Evaluator

        base = self.interp.module_frame(module)
        run_ = Run(base.info)
        frame = Frame(base.info, module, {}, ev.Context(alive=_ALL), run_, quiet=False, driver=True)
        self.driver_runs.append(run_)
        evaluator = Evaluator(self.interp, frame)
        evaluator.block(module.tree.body)
        for cls in module.classes.values():
            for method in cls.methods.values():
                if method.decorators:
                    value: Value = Function(info=method, self_value=Instance(cls=cls))
                    for decorator in reversed(method.decorators):
                        value = self.interp.decorated(evaluator, value, decorator)
        words = set(CAPTURE_WORDS) | {"trace", "script", "dynamo_export", "export_for_training", "trace_module"}
        words |= {
            name
            for name, value in frame.env.items()
            if isinstance(value, Partial) and capture_api(value.wrapper) is not None
        }
        for info in self._functions(module):
            if _mentions(module, info, words) and body_facts(info).words & words and not self._driven(info):
                self._drive(info)

    def _functions(self, module: ModuleInfo) -> Iterable[FunctionInfo]:
        yield from module.functions.values()
        for cls in module.classes.values():
            yield from cls.methods.values()

    def _driven(self, info: FunctionInfo) -> bool:
        return id(info.node) in self.roots or any(
            r.info is info for r in self.interp._contexts.get((id(info.node), False, True), ())
        )

    def _drive(self, info: FunctionInfo) -> None:
        """Interpret a function that captures something, outside any capture."""
        env = self._default_env(info, False)
        run_ = Run(info)
        self.driver_runs.append(run_)
        self.interp.execute(run_, env, None, False, True, _ALL)

    def _default_env(self, info: FunctionInfo, taint: bool, self_value: Value | None = None) -> dict[str, Value]:
        env: dict[str, Value] = {}
        parameters = list(info.parameters)
        bound = info.cls is not None and not info.has_decorator("staticmethod")
        if bound and parameters:
            first = parameters.pop(0)
            assert info.cls is not None
            if info.has_decorator("classmethod"):
                env[first.arg] = Class(info=info.cls)
            elif self.interp.is_subclass(info.cls, "torch.autograd.Function"):
                env[first.arg] = Unknown()
            else:
                env[first.arg] = self_value or Instance(cls=info.cls)
        for argument in parameters:
            env[argument.arg] = self.interp.parameter(info, argument, taint)
        node = info.node.args
        if node.vararg is not None:
            env[node.vararg.arg] = mark(
                Seq(type="tuple", element=self.interp.annotation(node.vararg.annotation, info.module)),
                taint,
                Why(f"*{node.vararg.arg} are arguments of {info.name}", node.vararg, info.module.path),
            )
        if node.kwarg is not None:
            env[node.kwarg.arg] = mark(
                Map(element=self.interp.annotation(node.kwarg.annotation, info.module)),
                taint,
                Why(f"**{node.kwarg.arg} are arguments of {info.name}", node.kwarg, info.module.path),
            )
        return env

    def _on_capture(self, call: CaptureCall, frame: Frame) -> None:
        call.frontends = by_release(call.api, call.kwargs, call.frontends, self.options.torch)
        for root in self._targets(call.target):
            root.captures.append(call)
            self._note_loop(root, call)
            root.frontends |= call.frontends
            args: list[Value] = []
            kwargs: dict[str, Value] = {}
            example = call.args[0] if call.args else call.kwargs.get("example_inputs", call.kwargs.get("args"))
            if (
                call.api
                in (
                    "torch.jit.trace",
                    "torch.export.export",
                    "torch.onnx.export",
                    "torch.export.export_for_training",
                    "torch.export.draft_export",
                )
                and example is not None
            ):
                args = list(example.items) if isinstance(example, Seq) and example.items is not None else [example]
                given = call.kwargs.get(
                    "kwargs", call.args[1] if len(call.args) > 1 and call.api.startswith("torch.export") else None
                )
                if isinstance(given, Map):
                    kwargs = {str(k): v for k, v in given.items.items()}
                names = [a.arg for a in root.info.parameters[1 if self._takes_self(root.info) else 0 :]]
                args = declared(names, args, call.kwargs.get("dynamic_shapes"))
                self._record(root, args, kwargs)

    def _note_loop(self, root: Root, call: CaptureCall) -> None:
        """Modules of one class that are compiled one by one share the code that Dynamo keeps its entries for."""
        owner = root.self_value
        shared = call.api == "torch.compile" and "isolate_recompiles" not in call.kwargs
        if call.in_loop and shared and isinstance(owner, Instance) and owner.cls is not None:
            if self.interp.is_module(owner.cls):
                root.self_value = replace(owner, apart=owner.cls)

    def _on_captured_call(self, target: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
        for root in self._targets(target):
            self._record(root, args, kwargs)

    def _targets(self, value: Value, scope: Any = None) -> list[Root]:
        """The roots that capturing a value makes."""
        roots: list[Root] = []
        for option in options_of(value):
            if isinstance(option, Function):
                roots.append(self._root(option.info, option.self_value, option.scope))
            elif isinstance(option, Instance) and option.cls is not None:
                method = self.interp.find_method(option.cls, "forward") or self.interp.find_method(
                    option.cls, "__call__"
                )
                if method is not None:
                    roots.append(self._root(method, replace(option, fresh=False, taint=False)))
            elif isinstance(option, Class):
                method = self.interp.find_method(option.info, "forward")
                if method is not None:
                    roots.append(self._root(method, Instance(cls=option.info)))
            elif isinstance(option, Partial) and option.wrapper != "super":
                roots.extend(self._targets(option.target))
            elif isinstance(option, Seq) and option.type in ("Sequential", "ModuleList"):
                for member in option.items or (option.element,):
                    roots.extend(self._targets(member))
            elif isinstance(option, Bound):
                roots.extend(self._targets(option.owner) if option.method in ("forward", "__call__") else [])
        return roots

    def _root(self, info: FunctionInfo, self_value: Value | None, scope: Any = None) -> Root:
        root = self.roots.get(id(info.node))
        if root is None:
            root = Root(info, self_value, scope=scope)
            self.roots[id(info.node)] = root
        if root.self_value is None:
            root.self_value = self_value
        return root

    def _record(self, root: Root, args: list[Value], kwargs: Mapping[str, Value]) -> None:
        """Take the argument kinds of one known call of a root."""
        root.calls += 1
        env = self.interp.bind(root.info, args, kwargs, root.self_value if self._takes_self(root.info) else None, False)
        given = {a.arg for a in root.info.parameters[: len(args) + (1 if self._takes_self(root.info) else 0)]} | set(
            kwargs
        )
        node = root.info.node.args
        extras = {v.arg for v in (node.vararg, node.kwarg) if v is not None}
        for name, value in env.items():
            if name not in given and name not in extras:
                continue
            if isinstance(value, Const) and value.value is not None:
                root.passed.setdefault(name, set()).add(value.value)
            elif isinstance(value, Static) and value.counts:
                root.passed.setdefault(name, set()).update(f"turn {k}" for k in range(MANY_VALUES))
            value = _as_argument(value)
            known = root.arguments.get(name)
            root.arguments[name] = value if known is None else join(known, value)

    def _takes_self(self, info: FunctionInfo) -> bool:
        return info.cls is not None and not info.has_decorator("staticmethod")

    def _add_uncaptured(self, modules: list[ModuleInfo]) -> None:
        """Roots that no capture call names, by `--roots` and `--root`."""
        options = self.options
        named = self._named_roots()
        captured = {id(r.info.node) for r in self.roots.values()}
        closed = self._closed_folders()
        captured_files = {c.path for r in self.roots.values() for c in r.captures} | {
            r.info.module.path for r in self.roots.values() if r.captures
        }
        for module in modules:
            if not module.imports_torch:
                continue
            for info in self._functions(module):
                wanted = (module.path, info.qualname) in named
                if options.roots == "all":
                    wanted = wanted or info.name not in _NO_ROOTS
                elif info.cls is not None and info.name in _STEP_METHODS and self.interp.is_module(info.cls):
                    free = module.path not in captured_files and not any(module.path.startswith(f) for f in closed)
                    wanted = wanted or options.roots == "forward" or free
                if wanted and id(info.node) not in captured:
                    self._root(info, None).frontends |= set(options.default_frontends)
        for root in self.roots.values():
            if not root.frontends and not root.captures:
                root.frontends |= set(options.default_frontends)

    def _closed_folders(self) -> set[str]:
        """Folders whose scripts name what is captured: other modules below them are not captured by themselves."""
        import os

        folders: set[str] = set()
        for root in self.roots.values():
            for call in root.captures:
                target = root.info.module.path
                if call.path != target and isinstance(call.node, ast.Call) and "__main__" in self._text(call.path):
                    folders.add(os.path.commonpath([os.path.dirname(call.path), os.path.dirname(target)]) + os.sep)
        return folders

    def _text(self, path: str) -> str:
        module = self.project.load(path)
        return module.source.text if isinstance(module, ModuleInfo) else ""

    def _named_roots(self) -> set[tuple[str, str]]:
        named: set[tuple[str, str]] = set()
        for text in self.options.extra_roots:
            path, _, name = text.partition("::")
            named.add((path, name))
        return named

    def _outer_first(self, roots: list[Root]) -> list[Root]:
        """Captured roots, then the others from the end of their file, where the outermost module usually stands."""
        return sorted(roots, key=lambda r: (not r.captures, -getattr(r.info.node, "lineno", 0)))

    def _analyse_root(self, root: Root, findings: FindingSet, reached: set[int]) -> None:
        info = root.info
        env = self._default_env(info, True, root.self_value)
        for name, value in root.arguments.items():
            if name in env and not (self._takes_self(info) and info.parameters and name == info.parameters[0].arg):
                env[name] = self._argument(env[name], value, info, name, root.passed.get(name, ()))
        for name in array_parameters(info) if root.captures else ():
            if isinstance(env.get(name), Unknown):
                env[name] = Tensor(sure=2, taint=True, why=env[name].why)
        if info.cls is not None and self.interp.is_subclass(info.cls, "torch.autograd.Function"):
            for name in list(env)[1:]:
                env[name] = mark(env[name], True, None)
        run_ = self.interp.run_root(info, env, root.scope)
        findings.add_root(root, run_)
        reached |= {id(r.info.node) for r in reachable(run_)}

    def _argument(
        self, declared: Value, called: Value, info: FunctionInfo, name: str, passed: Collection[object] = ()
    ) -> Value:
        """What a root's parameter is, from its annotation and from its known calls."""
        from analyzer.values import Why

        argument = next((a for a in info.parameters if a.arg == name), None)
        why = (
            Why(
                f"{name} is a tensor: parameter of {info.name}"
                if isinstance(called, Tensor)
                else f"{name} is a parameter of {info.name}",
                argument,
                info.module.path,
            )
            if argument is not None
            else declared.why
        )
        if isinstance(called, Unknown) and not isinstance(declared, Unknown):
            return declared
        if isinstance(called, Static) and called.type in ("int", "str") and len(passed) >= MANY_VALUES:
            called = replace(called, varies=True)
        if isinstance(called, Tensor) and isinstance(declared, Tensor):
            called = replace(called, dtype=called.dtype or declared.dtype)
        return mark(replace(called, why=None) if not isinstance(called, Function) else called, True, why)

    # -- torch.jit.script ---------------------------------------------------------------------------------------

    def _script(self, root: Root, findings: FindingSet) -> None:
        """What torch.jit.script refuses of a root: a model of its own, for it compiles by annotations alone."""
        from analyzer.flow.script import ScriptCompiler

        runs: dict[int, Run] = {}

        def emit(event: ev.Event, module: ModuleInfo, info: FunctionInfo) -> None:
            self._tell(event, module, runs.setdefault(id(info.node), Run(info)))

        ScriptCompiler(self.interp, emit).compile_root(root)
        for run_ in runs.values():
            findings.add_root(root, run_)

    # -- triton -------------------------------------------------------------------------------------------------

    def _kernels(self, module: ModuleInfo, findings: FindingSet) -> None:
        if "triton" not in module.source.text:
            return
        from analyzer.flow.kernel import check_kernels

        runs: dict[int, Run] = {}

        def function_of(node: ast.AST) -> FunctionInfo:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return self.interp.function_of(module, node, node.name)
            return self.interp.module_frame(module).info

        def emit(event: KernelEvent) -> None:
            run_ = runs.setdefault(id(event.function.node), Run(event.function))
            self._tell(event, module, run_)

        for kernel in check_kernels(module.tree, module.path, function_of, emit):
            runs.setdefault(id(kernel), Run(function_of(kernel)))
        for run_ in runs.values():
            findings.add_root(Root(run_.info, frontends={"triton"}), run_)


def _mentions(module: ModuleInfo, info: FunctionInfo, words: set[str]) -> bool:
    """Whether a function's text holds one of the words: spares walking most functions."""
    text = "\n".join(module.source.lines[info.node.lineno - 1 : info.node.end_lineno])
    return any(word in text for word in words)


def _selected(rule: type[Rule], options: Options) -> bool:
    chosen = rule.default if not options.select else any(rule.code.startswith(p) for p in options.select)
    return chosen and not any(rule.code.startswith(p) for p in options.ignore)


def _as_argument(value: Value) -> Value:
    """A value as an argument of captured code: fresh tensors are inputs there, numbers may change between calls."""
    if isinstance(value, Tensor):
        return replace(
            value, constant=False, origin="argument", leaf=value.leaf, sure=3 if value.sure >= 2 else value.sure
        )
    if isinstance(value, Const):
        return value if value.value is None else Static(type=type(value.value).__name__)
    if isinstance(value, Seq):
        items = None if value.items is None else tuple(_as_argument(i) for i in value.items)
        kind = "iterator argument" if value.type in ("iterator", "generator", "zip") else value.type
        return replace(value, type=kind, items=items, element=_as_argument(value.element))
    if isinstance(value, Map):
        return replace(
            value, items={k: _as_argument(v) for k, v in value.items.items()}, element=_as_argument(value.element)
        )
    if isinstance(value, Union):
        return replace(value, options=tuple(_as_argument(o) for o in value.options))
    return value
