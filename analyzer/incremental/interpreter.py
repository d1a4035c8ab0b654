"""The interpreter of an editor's session: what it does is taken down, and done again only where something changed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from analyzer.flow import events as ev
from analyzer.flow.frame import Frame, Run
from analyzer.flow.interpreter import Interpreter
from analyzer.incremental.journal import FAILED, Journal, Marks, Names, Op, Piece, Table
from analyzer.incremental.sameness import holds_closure, same
from analyzer.outcome import Frontend
from analyzer.project import ClassInfo, FunctionInfo, ModuleInfo, Project
from analyzer.roots import CaptureCall
from analyzer.values import Instance, Partial, Value

#: So many analyses long, what they did not need is kept.
_SWEEP = 50


class RecordingInterpreter(Interpreter):
    """`begin` starts the next analysis: of the last one only the pieces are kept, each to be replayed when asked for.

    A run keeps its `Run` from analysis to analysis, so that callers whose own analysis stands lead to what is new.
    """

    def __init__(
        self,
        project: Project,
        dispatch: Callable[[ev.Event, Frame], None],
        wanted: frozenset[type[ev.Event]],
        on_capture: Callable[[CaptureCall, Frame], None],
        on_captured_call: Callable[[Value, list[Value], dict[str, Value]], None],
    ) -> None:
        self.journal = Journal(self._calm)
        self._flags: Table[str, bool] = Table(self.journal)
        self._runs_kept = self.journal.content
        self._since = 0  #: analyses since what is not needed went
        self._pieces: dict[Any, list[Piece]] = {}
        super().__init__(project, dispatch, wanted, on_capture, on_captured_call)
        self._tables()

    def _tables(self) -> None:
        """The journal is to know of all that one piece may read of what another one wrote."""
        journal = self.journal
        self._globals = Table(journal)
        self._evaluating = Marks(journal)
        self._runs = Table(journal)
        self._contexts = Table(journal)
        self._annotations = Table(journal)
        self.allowed = Marks(journal)
        self._mros = Table(journal)
        self._attributes = Table(journal)
        self._asking = Marks(journal)
        self._initial = Table(journal)
        self._own = Table(journal)
        self._initialising = Marks(journal)
        self._owning = Marks(journal)
        self._written = Table(journal)
        self.hooks = Table(journal)
        self.numbering._fed = Table(journal)
        self.turning._stored = Table(journal)
        self.turning._turned = Marks(journal)

    def begin(self) -> None:
        """Forget what the tables hold: the logs of the pieces name the tables themselves, so they are only emptied."""
        self.journal.next()
        self.variants._seen = {}
        self._depth = 0

    def end(self) -> None:
        """The analysis is over: now and then, what it did not need goes."""
        self._since += 1
        if self._since < _SWEEP:
            return
        self._since = 0
        live: set[Piece] = set()
        stack = [p for known in (*self._pieces.values(), self._runs_kept.values()) for p in known]
        stack = [p for p in stack if p.stamp == self.journal.stamp]
        while stack:
            piece = stack.pop()
            if piece not in live:
                live.add(piece)
                stack.extend(entry[1] for entry in piece.log if entry[0] == Op.PIECE)
        self.journal.keep_answers(live)
        needed = {key: [p for p in known if p in live] for key, known in self._pieces.items()}
        self._pieces = {key: known for key, known in needed.items() if known}
        for key in [key for key, piece in self._runs_kept.items() if piece not in live]:
            del self._runs_kept[key]

    def kept_runs(self) -> list[Run]:
        """The runs that are kept."""
        return [piece.arguments[0] for piece in self._runs_kept.values()]

    # -- pieces -------------------------------------------------------------------------------------------------

    def _piece(self, key: Any, depth: int, does: Callable[..., Any], *arguments: Any) -> Any:
        """The result of `does(*arguments)`; that of a piece of this key whose log holds, if there is one.

        There may be several: what is asked for while an `__init__` is interpreted is asked for again later.
        """
        return self._piece_like(None, key, depth, does, *arguments)

    def _piece_like(self, last: Piece | None, key: Any, depth: int, does: Callable[..., Any], *arguments: Any) -> Any:
        """`last`: the piece that this one was before."""
        known = self._pieces.setdefault(key, [])
        piece = last
        if last is None or not self.journal.replay(last):
            others = (p for p in known if p is not last and same(p.arguments, (depth, *arguments)))
            piece = next((p for p in others if self.journal.replay(p)), None)
        if piece is None:
            piece = Piece((depth, *arguments), key)
            self._do(piece, depth, does, *arguments)
        if piece not in known:
            known.append(piece)
        piece.stamp = self.journal.stamp
        self.journal.piece(piece, self._piece_like, (key, depth, does, *arguments))
        return piece.result

    def _do(self, piece: Piece, depth: int, does: Callable[..., Any], *arguments: Any) -> None:
        before = self.journal.begin(piece)
        saved, self._depth = self._depth, depth
        try:
            piece.result = does(*arguments)
        finally:
            self._depth = saved
            self.journal.end(piece, before)

    def _perform(
        self,
        key: Any,
        run: Run,
        env: dict[str, Value],
        scope: Mapping[str, Value] | None,
        quiet: bool,
        driver: bool,
        alive: frozenset[Frontend],
        root: bool,
        in_backward: bool,
        region: str,
        body: bool,
    ) -> None:
        if scope:  # the variables of a call that goes on: a part of that call's piece
            self._runs_kept.pop(key, None)
            run.findings.clear()
            run.edges.clear()
            super()._perform(key, run, env, scope, quiet, driver, alive, root, in_backward, region, body)
            self.journal.run_done(run)
            return
        self._run_piece(None, key, (run, env, self._depth, quiet, driver, alive, root, in_backward, region, body))

    def _run_piece(self, last: Piece | None, key: Any, arguments: tuple[Any, ...]) -> Any:
        """`last`: the run's piece before, if the log of the caller's piece asks for it."""
        run, env = arguments[0], arguments[1]
        piece = self._runs_kept.get(key)
        known = piece is not None and (
            piece.arguments is arguments or piece.arguments[0] is run and same(piece.arguments[1:], arguments[1:])
        )
        if piece is None or not known or not self.journal.replay(piece):
            if last is not None and holds_closure(env):
                return FAILED
            self._runs_kept.pop(key, None)
            piece = Piece(arguments, key, run=run)
            self._do(piece, arguments[2], self._execute, arguments)
            self._runs_kept[key] = piece
        run.done = True
        piece.stamp = self.journal.stamp
        self.journal.piece(piece, self._run_piece, (key, arguments))
        return piece.result

    def _execute(self, arguments: tuple[Any, ...]) -> Value:
        run, env, _, quiet, driver, alive, root, in_backward, region, body = arguments
        run.findings.clear()
        run.edges.clear()
        self.execute(run, env, None, quiet, driver, alive, root, in_backward, region, body)
        returns: Value = run.returns
        return returns

    def _new_run(self, info: FunctionInfo, key: Any) -> Run:
        piece = self._runs_kept.get(key)
        run = piece.run if piece is not None and piece.run is not None and piece.run.info is info else Run(info)
        run.done = False
        return run

    def _finished(self, run: Run) -> Run | None:
        self.journal.run(run)
        return super()._finished(run)

    def _calm(self) -> None:
        """A replay was given up in the middle of things: what it left in the frames of modules goes."""
        for frame in self._module_frames.values():
            frame.quiet, frame.logging, frame.repeating = True, 0, 0
            frame.context = ev.Context(alive=frozenset(self.frontends))

    # -- what is a piece ----------------------------------------------------------------------------------------

    def _global_value(self, module: ModuleInfo, name: str) -> Value | None:
        value: Value | None = self._piece(
            ("global", id(module), name), self._depth, super()._global_value, module, name
        )
        return value

    def _instance_value(self, cls: ClassInfo, name: str) -> Value | None:
        value: Value | None = self._piece(("value", id(cls), name), self._depth, super()._instance_value, cls, name)
        return value

    def initial_state(self, cls: ClassInfo) -> dict[str, Value]:
        known = self._initial.get(id(cls))
        if known is not None:
            return known
        if self._half_known(cls):
            return {}
        state: dict[str, Value] = self._piece(("initial", id(cls)), self._depth, super().initial_state, cls)
        return state

    def _own_state(self, cls: ClassInfo) -> dict[str, Value]:
        known = self._own.get(id(cls))
        if known is not None:
            return known
        state: dict[str, Value] = self._piece(("own", id(cls)), self._depth, super()._own_state, cls)
        return state

    def _written_by(self, cls: ClassInfo, method: FunctionInfo) -> dict[str, Value] | None:
        key = id(method.node) ^ id(cls)
        if key in self._written:
            return self._written[key]
        written: dict[str, Value] | None = self._piece(
            ("written", id(cls), id(method.node)), self._depth, super()._written_by, cls, method
        )
        return written

    # -- state that is no table ---------------------------------------------------------------------------------

    @property
    def _entering(self) -> bool:
        return bool(self._flags.get("entering", False))

    @_entering.setter
    def _entering(self, value: bool) -> None:
        if value is not dict.get(self._flags, "entering", False):
            self._flags["entering"] = value

    def module_frame(self, module: ModuleInfo) -> Frame:
        frame = super().module_frame(module)
        if not isinstance(frame.env, Names):
            frame.env = Names(self.journal)
        return frame

    # -- effects beyond the tables ------------------------------------------------------------------------------

    def captured(
        self,
        evaluator: Any,
        name: str,
        target: Value,
        kwargs: Mapping[str, Value],
        node: ast.AST,
        args: tuple[Value, ...] = (),
    ) -> None:
        if evaluator.frame.driver:
            self.journal.not_apart()
        super().captured(evaluator, name, target, kwargs, node, args)

    def captured_call(self, evaluator: Any, callee: Partial, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.journal.not_apart()  # what is called is known to the engine; in which modes, to `variants`
        super().captured_call(evaluator, callee, args, kwargs)

    def _apart(self, kept: Value, cls: ClassInfo) -> Value:
        if not isinstance(kept, Instance):
            self.journal.not_apart()  # asks of all that feeds a parameter
        return super()._apart(kept, cls)
