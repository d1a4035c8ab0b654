"""The page's types have the fields of the probe's: `pages/src/protocol.ts` against `runtime_probe`."""

from __future__ import annotations

import re
import typing
from pathlib import Path
from typing import Any

import pytest

from runtime_probe import report, simulation

PROTOCOL = (Path(__file__).parents[2] / "pages/src/protocol.ts").read_text("utf-8")
SHAPES = (Path(__file__).parents[2] / "pages/src/simulator/shapes.ts").read_text("utf-8")

#: Names that mean something else in TypeScript.
RENAMED = {"Number_": "Number", "Symbol_": "Symbol"}
#: What only the page has.
OWN = {"PageData", "GalleryItem", "RunError"}


def declared() -> dict[str, dict[str, str]]:
    """Interface → field → its type."""
    return {
        name: dict(re.findall(r"^  (\w+): (.*);$", body, re.M))
        for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", PROTOCOL, re.M | re.S)
    }


def python_type(name: str) -> Any:
    plain = RENAMED.get(name, name)
    return getattr(simulation, plain, None) or getattr(report, plain)


def in_typescript(annotation: Any) -> str:
    """How a Python type is written there."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is list:
        return f"{in_typescript(arguments[0])}[]"
    if origin is dict:
        return f"Record<{in_typescript(arguments[0])}, {in_typescript(arguments[1])}>"
    if origin is typing.Union:
        return " | ".join(in_typescript(one) for one in arguments)
    if origin is typing.Literal:
        union = " | ".join(f'"{one}"' for one in arguments)
        return next((name for name, alias in aliases().items() if alias == union), union)
    if typing.is_typeddict(annotation):
        return {plain: name for name, plain in RENAMED.items()}.get(annotation.__name__, annotation.__name__)
    return {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}[annotation]


def aliases() -> dict[str, str]:
    """The unions of texts that have a name."""
    found = re.findall(r"^export type (\w+) =\s*([^;]*);", PROTOCOL, re.M)
    return {name: " | ".join(re.findall(r'"[^"]*"', union)) for name, union in found}


def test_every_type_of_the_simulation_is_there() -> None:
    """Nothing that the probe tells of a program is unknown to the page."""
    seen: set[str] = set()

    def reach(annotation: Any) -> None:
        if typing.is_typeddict(annotation):
            if annotation.__name__ in seen:
                return
            seen.add(annotation.__name__)
            for field in typing.get_type_hints(annotation).values():
                reach(field)
        for one in typing.get_args(annotation):
            reach(one)

    reach(simulation.Survey)
    reach(simulation.Run)
    assert seen == {RENAMED.get(name, name) for name in declared()} - OWN


@pytest.mark.parametrize("name", sorted(set(declared()) - OWN))
def test_fields_and_their_types_are_the_same(name: str) -> None:
    """Field by field, in the same order."""
    there = declared()[name]
    # `kind` of a frozen value is only shown.
    loose = {"Frozen": {"kind"}}.get(name, set())
    hints = typing.get_type_hints(python_type(name))
    assert list(there) == list(hints)
    for field, annotation in hints.items():
        if field not in loose:
            assert there[field] == in_typescript(annotation), field


def test_literals_are_the_same() -> None:
    """The texts that the page tells apart are those that there are."""
    for name, union in aliases().items():
        assert in_typescript(getattr(simulation, name)) == name, union
        assert "oneOf(" + union.replace(" | ", ", ") + ")" in SHAPES, name
