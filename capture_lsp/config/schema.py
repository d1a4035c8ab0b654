"""Every setting that a configuration file may hold: its key, the form of its value, its default and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from analyzer.outcome import FRONTENDS

SEVERITIES = ("error", "warning", "info", "hint", "off")
ROOT_MODES = ("auto", "forward", "all")
#: What a probe's report can be written in.
FORMATS = ("full", "concise", "json")
#: What a check's findings can be written in.
CHECK_FORMATS = (*FORMATS, "sarif", "github", "gitlab", "junit", "markdown")

#: Folders that hold no source of the project.
DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "_build",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


class BadValue(ValueError):
    """A setting's value has the wrong form; the text says which form is right."""


@dataclass(frozen=True)
class Form:
    """What a setting's value has to be: called with one it converts it, or raises BadValue; `json`: its JSON schema."""

    convert: Callable[[Any], Any]
    json: Mapping[str, Any]

    def __call__(self, value: Any) -> Any:
        return self.convert(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadValue("true or false")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise BadValue("a string")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise BadValue("a list of strings")
    return tuple(value)


def _size(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise BadValue("a number of bytes, greater than zero")
    return value


def _one_of(*allowed: str) -> Form:
    def convert(value: Any) -> str:
        if value not in allowed:
            raise BadValue("one of " + ", ".join(allowed))
        return str(value)

    return Form(convert, {"type": "string", "enum": list(allowed)})


def _some_of(*allowed: str) -> Form:
    def convert(value: Any) -> tuple[str, ...]:
        found = _texts(value)
        if unknown := [item for item in found if item not in allowed]:
            raise BadValue(f"a list of some of {', '.join(allowed)} (not {unknown[0]!r})")
        return found

    return Form(convert, {"type": "array", "items": {"type": "string", "enum": list(allowed)}})


def _table(convert: Form, form: str) -> Form:
    def table(value: Any) -> tuple[tuple[str, Any], ...]:
        if not isinstance(value, dict):
            raise BadValue(f"a table of {form}")
        pairs = []
        for key, item in value.items():
            try:
                pairs.append((str(key), convert(item)))
            except BadValue as error:
                raise BadValue(f"a table of {form}; {key!r} must be {error}") from None
        return tuple(pairs)

    return Form(table, {"type": "object", "additionalProperties": convert.json})


def torch_version(value: Any) -> tuple[int, int]:
    """`"2.13"` or `"2.13.0+cpu"` as (2, 13)."""
    parts = str(value).split("+")[0].split(".") if isinstance(value, str) else []
    try:
        return int(parts[0]), int(parts[1])
    except (IndexError, ValueError):
        raise BadValue('a torch version such as "2.13"') from None


BOOLEAN = Form(_boolean, {"type": "boolean"})
TEXT = Form(_text, {"type": "string", "minLength": 1})
TEXTS = Form(_texts, {"type": "array", "items": {"type": "string", "minLength": 1}})
SIZE = Form(_size, {"type": "integer", "minimum": 1})
TORCH_VERSION = Form(torch_version, {"type": "string", "pattern": r"^\d+\.\d+"})


@dataclass(frozen=True)
class Key:
    """One setting. `paths`: its strings are paths, relative to the folder of the file that holds them."""

    name: str
    convert: Form
    default: Any
    help: str
    paths: bool = False

    @property
    def field(self) -> str:
        return self.name.replace("-", "_")


KEYS: tuple[Key, ...] = (
    Key("select", TEXTS, (), "Codes, code prefixes or names of the rules to use; empty: those on by default."),
    Key("extend-select", TEXTS, (), "Rules to use besides those selected."),
    Key("ignore", TEXTS, (), "Rules not to use."),
    Key("per-file-ignores", _table(TEXTS, "lists of codes by file pattern"), (), "Rules not to use in matching files."),
    Key("severity", _table(_one_of(*SEVERITIES), "severities by code"), (), "Severity by code, prefix or name."),
    Key("frontends", _some_of(*FRONTENDS), ("dynamo",), "The frontends of roots that no capture call names."),
    Key("roots", _one_of(*ROOT_MODES), "auto", "What counts as captured: auto, forward or all."),
    Key("extra-roots", TEXTS, (), "More roots, as PATH::QUALNAME.", paths=True),
    Key("target-torch", TORCH_VERSION, None, "The torch version to judge by; default: the one the project uses."),
    Key("python", TEXT, None, "The project's interpreter or environment; only a probe starts it.", paths=True),
    Key("extra-paths", TEXTS, (), "More folders to find the project's imports in.", paths=True),
    Key("exclude", TEXTS, DEFAULT_EXCLUDE, "Patterns of files and folders not to look into, as in .gitignore."),
    Key("extend-exclude", TEXTS, (), "More patterns to exclude."),
    Key("force-exclude", BOOLEAN, False, "Exclude files that are named outright, too."),
    Key("respect-gitignore", BOOLEAN, True, "Leave out what .gitignore leaves out."),
    Key("max-file-size", SIZE, 4_000_000, "Larger files are not checked (bytes)."),
    Key("unsafe-fixes", BOOLEAN, False, "Let --fix apply unsafe fixes."),
    Key("output-format", _one_of(*CHECK_FORMATS), "full", f"One of {', '.join(CHECK_FORMATS)}."),
    Key("cache-dir", TEXT, None, "Where the cache is kept; default: the user's cache folder.", paths=True),
)

BY_NAME: dict[str, Key] = {key.name: key for key in KEYS}
