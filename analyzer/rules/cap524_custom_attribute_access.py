"""CAP524: an object whose class overrides `__getattribute__` read in captured code."""

from __future__ import annotations

import ast

from analyzer.flow.events import AttributeLoad
from analyzer.project import ClassInfo
from analyzer.rule import Bad, Good, Reporter, Rule
from analyzer.values import Instance


class CustomAttributeAccess(Rule):
    """An object whose class overrides `__getattribute__` read in captured code.

    ## What it does
    Finds reads of attributes of objects whose class defines a `__getattribute__` that calls `object.__getattribute__`.

    ## Why it matters
    TorchDynamo cannot run an attribute access that calls C code of `object`: the rest of the function runs eagerly.

    ## Use instead
    `super().__getattribute__`, or `__getattr__`, which is called only for what is missing.

    ## Fix safety
    No fix is offered.

    ## References
    Registry id GB0156; measured on torch 2.13.
    """

    code, name = "CAP524", "custom-attribute-access"
    outcomes = {
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
        "dynamo": "skipped_frame",
        "fullgraph": "refused",
        "export": "captured",
    }
    graph_breaks = ("GB0156",)
    examples = [
        Bad(
            """
import torch


class Settings:
    k = 2

    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


SETTINGS = Settings()


def fn(x):
    return x * SETTINGS.k  # CAP524
""",
        ),
        Bad(
            """
import torch
from torch import nn


class Config:
    def __init__(self):
        self.scale = 3.0

    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = Config()

    def forward(self, x):
        y = x.sin()
        return y * self.config.scale  # CAP524
""",
            entry="Net()",
        ),
        Good(
            """
import torch
from torch import nn


class Config:
    def __init__(self):
        self.scale = 3.0

    def __getattribute__(self, name):
        return super().__getattribute__(name)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = Config()

    def forward(self, x):
        y = x.sin()
        return y * self.config.scale
""",
            entry="Net()",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import torch


class Settings:
    def __getattr__(self, name):
        return 2


SETTINGS = Settings()


def fn(x):
    return x * SETTINGS.k
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
    ]

    def on_attribute_load(self, event: AttributeLoad, report: Reporter) -> None:
        owner = event.value
        if (
            isinstance(owner, Instance)
            and owner.cls is not None
            and _overrides(owner.cls)
            and event.function.name != "__getattribute__"
        ):
            report(event, "the class of this object overrides __getattribute__")


def _overrides(cls: ClassInfo) -> bool:
    """Whether the class's own access calls `object.__getattribute__` (through `super()` Dynamo follows it)."""
    method = cls.method("__getattribute__")
    if method is None:
        return False
    calls = (n for n in ast.walk(method.node) if isinstance(n, ast.Attribute) and n.attr == "__getattribute__")
    return any(isinstance(n.value, ast.Name) and n.value.id == "object" for n in calls)
