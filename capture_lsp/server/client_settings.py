"""What the editor says: the section `capture-lsp` of its settings, and the options it initialises the server with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from capture_lsp.config.files import nearest_key, with_base
from capture_lsp.config.schema import BY_NAME, BadValue
from capture_lsp.errors import UserError
from capture_lsp.probe.budget import BUDGET
from capture_lsp.probe.gpus import names

SECTION = "capture-lsp"
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")

#: What an own setting is: on or off, one of some names, or a number greater than zero.
Own = bool | str | float
#: The settings of the server alone, with what holds if they are not given.
OWN: Mapping[str, Own] = {
    "enable": True,
    "show-syntax-errors": True,
    "code-lens": True,
    "inlay-hints": False,
    "probe.on-save": False,
    "probe.gpu": "",
    "probe.budget": BUDGET,
}


@dataclass(frozen=True)
class ClientSettings:
    """`overrides`: settings of `capture_lsp.config` by key, which come before configuration files; `own`: see OWN."""

    overrides: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Own] = field(default_factory=lambda: OWN)


def read(value: Any, folder: str) -> tuple[ClientSettings, list[str]]:
    """The settings in a section as the client sends it, and what is wrong with it.

    Keys are those of the configuration file, or the same in camel case; what is null is not set. Relative paths start
    from `folder`.
    """
    problems: list[str] = []
    overrides: dict[str, Any] = {}
    own = dict(OWN)
    for name, given in _flat(value):
        if given is None:
            continue
        if name in own:
            if (wanted := _wanted(name, given)) is None:
                own[name] = given
            else:
                problems.append(f"{SECTION}.{name} must be {wanted}")
        elif (key := BY_NAME.get(name)) is None:
            problems.append(f"unknown setting {SECTION}.{name}{nearest_key(name)}")
        else:
            try:
                overrides[name] = with_base(key, key.convert(given), folder)
            except (BadValue, UserError) as error:
                problems.append(f"{SECTION}.{name} must be {error}")
    return ClientSettings(overrides, own), problems


def choices(name: str) -> tuple[str, ...]:
    """What an own setting that is a text may be."""
    return ("", *names()) if name == "probe.gpu" else ()


def _wanted(name: str, given: Any) -> str | None:
    """What an own setting has to be, where that is not what is given."""
    if isinstance(OWN[name], bool):
        return None if isinstance(given, bool) else "true or false"
    if isinstance(OWN[name], float):
        number = isinstance(given, (int, float)) and not isinstance(given, bool)
        return None if number and 0 < given < float("inf") else "a number greater than zero"
    known = choices(name)
    return None if given in known else f"empty or one of {', '.join(filter(None, known))}"


def _flat(value: Any) -> list[tuple[str, Any]]:
    """(key, value) of a section; `probe: {onSave: …}` is `probe.on-save`."""
    found: list[tuple[str, Any]] = []
    for name, given in plain(value).items() if isinstance(plain(value), dict) else ():
        key = ".".join(_HUMP.sub(lambda match: "-" + match[1].lower(), part) for part in str(name).split("."))
        if key == "probe" and isinstance(given, dict):
            found += [(f"probe.{inner}", item) for inner, item in _flat(given)]
        else:
            found.append((key, given))
    return found


def plain(value: Any) -> Any:
    """A value of the protocol as dicts and lists (pygls makes objects of some)."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
