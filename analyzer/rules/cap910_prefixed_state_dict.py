"""CAP910: the state dict of a compiled module, whose keys begin with `_orig_mod.`."""

from __future__ import annotations

import ast
import re

from analyzer.flow.events import Call
from analyzer.observe import observed
from analyzer.project import ModuleInfo, dotted
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Bound, Instance, Map, Partial, Value

_STATE = "torch.compile.state_dict"


class PrefixedStateDict(Rule):
    """The state dict of a compiled module, whose keys begin with `_orig_mod.`.

    ## What it does
    Finds `torch.save(compiled.state_dict(), …)` and `model.load_state_dict(compiled.state_dict())` where `compiled` is
    what `torch.compile(model)` returned. Files that name `_orig_mod`, or load into the compiled module again, are left
    alone.

    ## Why it matters
    The wrapper holds the module under the name `_orig_mod`. Loading such keys into a module that is not compiled raises
    "Missing key(s) in state_dict"; with `strict=False` nothing is loaded, without a word.

    ## Use instead
    The state dict of the module itself, which shares its parameters with the compiled one (`model.state_dict()`,
    `compiled._orig_mod.state_dict()`); or `model.compile()`, which adds no wrapper.

    ## Fix safety
    No fix is offered.

    ## References
    https://github.com/pytorch/pytorch/issues/101107; `OptimizedModule` in torch/_dynamo/eval_frame.py; measured on
    torch 2.13.
    """

    code, name = "CAP910", "prefixed-state-dict"
    outside = True
    outcomes = {"dynamo": "refused"}
    examples = [
        Bad(
            """
import io

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = torch.compile(Net())
    file = io.BytesIO()
    torch.save(model.state_dict(), file)  # CAP910
    file.seek(0)
    Net().load_state_dict(torch.load(file))
""",
            entry="Net()",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = Net()
    compiled = torch.compile(model)
    best = Net()
    best.load_state_dict(compiled.state_dict())  # CAP910
""",
            entry="Net()",
            outcomes={"dynamo": "unknown"},
        ),
        Bad(
            """
import io

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = torch.compile(Net())
    file = io.BytesIO()
    torch.save({"model": model.state_dict(), "epoch": 3}, file)  # CAP910
    file.seek(0)
    Net().load_state_dict(torch.load(file)["model"])
""",
            entry="Net()",
            outcomes={"dynamo": "unknown"},
        ),
        Good(
            """
import io

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = Net()
    compiled = torch.compile(model)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    Net().load_state_dict(torch.load(file))
    return compiled
""",
            entry="Net()",
        ),
        Good(
            """
import io

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = Net()
    model.compile()
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    Net().load_state_dict(torch.load(file))
""",
            entry="Net()",
            title="compiled in place",
        ),
        Good(
            """
import io

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = torch.compile(Net())
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    model.load_state_dict(torch.load(file))
""",
            entry="Net()",
            title="loaded into the compiled module again",
        ),
    ]

    def on_call(self, event: Call, report: Reporter) -> None:
        module = event.function.module
        if not event.args or module.holds("_orig_mod"):
            return
        if event.name == "torch.save" and _state(event.args[0]):
            if not observed(_loads_again, event.call.args[0], module):
                report(event, "its keys begin with `_orig_mod.`: the module itself will not load them")
        elif _loads(event) and _state(event.args[0]):
            report(event, "the keys begin with `_orig_mod.`: this module does not have them")


def _state(value: Value) -> bool:
    if isinstance(value, Map):
        return any(_state(v) for v in value.items.values())
    return isinstance(value, Instance) and value.name == _STATE


def _loads(event: Call) -> bool:
    """Whether this is `load_state_dict` of a module that is not compiled."""
    function = event.call.func
    if not isinstance(function, ast.Attribute) or function.attr != "load_state_dict":
        return False
    callee = event.callee
    if isinstance(callee, Bound) and isinstance(callee.owner, Partial):
        return False
    return event.name == "torch.nn.Module.load_state_dict"


def _loads_again(saved: ast.expr, module: ModuleInfo) -> bool:
    """Whether the file loads into what it saved, which is compiled as well."""
    names = {
        dotted(n.func.value)
        for n in ast.walk(saved)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "state_dict"
    }
    text = module.source.text
    return any(n is None or re.search(rf"(?<![\w.]){re.escape(n)}\.load_state_dict\(", text) for n in names)
