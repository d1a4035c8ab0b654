"""The variables of a function under TorchScript: scopes of branches and loops, and what is wrong after them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from analyzer.flow.script_types import UNKNOWN, Type, unify


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable's type; `fault`: reading it is refused, told at `place`."""

    type: Type
    fault: str = ""
    place: ast.AST | None = None


class Scope:
    """One block: its own bindings, and the block around it."""

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.own: dict[str, Variable] = {}
        self.refined: dict[str, Variable] = {}

    def inner(self) -> Scope:
        return Scope(self)

    def define(self, name: str, type_: Type) -> None:
        self.own[name] = Variable(type_)
        self.refined.pop(name, None)

    def refine(self, facts: Mapping[str, Type]) -> None:
        """What a test has told about variables."""
        for name, type_ in facts.items():
            if self.find(name) is not None:
                self.refined[name] = Variable(type_)

    def find(self, name: str) -> Variable | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.refined:
                return scope.refined[name]
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        return None

    def outer(self, name: str) -> Variable | None:
        """The variable in the blocks around this one, as declared there."""
        scope = self.parent
        while scope is not None:
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        return None

    def changed(self) -> dict[str, Variable]:
        return {**self.own, **self.refined}

    def take(self, branch: Scope) -> None:
        """Only this branch goes on."""
        for name, variable in branch.own.items():
            self.own[name] = variable
            self.refined.pop(name, None)
        for name, variable in branch.refined.items():
            self.refined[name] = variable

    def merge(self, first: Scope, second: Scope, node: ast.AST) -> None:
        """Both branches go on: types are unified; what only one sets must have been there before."""
        for name in {**first.own, **second.own}:
            a, b = first.find(name), second.find(name)
            if a is None or b is None:
                side = "true" if b is None else "false"
                other = "false" if side == "true" else "true"
                self.own[name] = Variable(UNKNOWN, f"`{name}` is not set in the {other} branch of this `if`", node)
            elif a.fault or b.fault:
                self.own[name] = a if a.fault else b
            else:
                joined = unify(a.type, b.type)
                if joined is None:
                    text = f"`{name}` is {a.type} in one branch of this `if` and {b.type} in the other"
                    self.own[name] = Variable(UNKNOWN, text, node)
                else:
                    self.own[name] = Variable(joined)
            self.refined.pop(name, None)
        for name in first.refined.keys() & second.refined.keys():
            if name not in first.own and name not in second.own:
                joined = unify(first.refined[name].type, second.refined[name].type)
                if joined is not None:
                    self.refined[name] = Variable(joined)

    def leave_loop(self, body: Scope, node: ast.AST) -> None:
        """After a loop: what the body set first is gone, what was there before keeps its type."""
        for name, variable in body.own.items():
            known = self.find(name)
            if known is None:
                self.own[name] = Variable(UNKNOWN, f"`{name}` is set only inside the loop", None)
            elif not known.fault:
                joined = unify(known.type, variable.type)
                if joined is not None:
                    self.own[name] = Variable(joined if joined.kind != "unknown" else UNKNOWN)
                self.refined.pop(name, None)
