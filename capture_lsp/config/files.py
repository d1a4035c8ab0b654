"""Finding and reading `capture-lsp.toml` and pyproject's `[tool.capture-lsp]`."""

from __future__ import annotations

import difflib
import os
import re
import sys
from dataclasses import dataclass
from typing import Any

from capture_lsp.config.schema import BY_NAME, BadValue, Key
from capture_lsp.errors import ConfigError, UserError
from capture_lsp.paths import absolute, ancestors

OWN_FILE = "capture-lsp.toml"
PYPROJECT = "pyproject.toml"


@dataclass(frozen=True)
class ConfigFile:
    """The settings of one file: converted values by key name, paths made absolute."""

    path: str
    values: dict[str, Any]

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)


def nearest(folder: str, known: dict[str, ConfigFile | None]) -> ConfigFile | None:
    """The configuration that holds for files of `folder`. `known` remembers the answer for each folder."""
    passed = []
    found: ConfigFile | None = None
    for place in ancestors(folder):
        if place in known:
            found = known[place]
            break
        passed.append(place)
        found = _in_folder(place)
        if found is not None:
            break
    for place in passed:
        known[place] = found
    return found


def _in_folder(folder: str) -> ConfigFile | None:
    own = os.path.join(folder, OWN_FILE)
    if os.path.isfile(own):
        return read(own)
    project = os.path.join(folder, PYPROJECT)
    try:
        with open(project, "rb") as stream:
            raw = stream.read()
    except OSError:
        return None
    if b"capture-lsp" not in raw:  # spares the TOML parser
        return None
    return read(project, raw)


def read(path: str, raw: bytes | None = None) -> ConfigFile | None:
    """Read one configuration file; None for a pyproject.toml without our table."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        if raw is None:
            with open(path, "rb") as stream:
                raw = stream.read()
        document = tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(path, _line_of_error(raw, str(error)), f"not valid TOML: {error}") from None
    text = raw.decode("utf-8-sig")
    if os.path.basename(path) == PYPROJECT:
        table = document.get("tool", {}).get("capture-lsp")
        if table is None:
            return None
        where = "tool.capture-lsp."
    else:
        table, where = document, ""
    if not isinstance(table, dict):
        raise ConfigError(path, line_of(text, "capture-lsp"), "tool.capture-lsp must be a table")
    return ConfigFile(path, _convert(path, where, table, text))


def _line_of_error(raw: bytes | None, message: str) -> int:
    """The 1-based line that the TOML parser names, else the last one."""
    if match := re.search(r"at line (\d+)", message):
        return int(match[1])
    return max(1, len((raw or b"").rstrip().split(b"\n")))


def line_of(text: str, *names: str) -> int:
    """The 1-based line of a configuration file that is most probably meant: the first, at or behind our table's header,
    that holds the first of the names that there is."""
    lines = text.split("\n")
    first = next((n for n, line in enumerate(lines) if re.match(r"\s*\[.*capture-lsp", line)), 0)
    for name in names:
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for number in range(first, len(lines)):
            if word.search(lines[number].partition("#")[0]):
                return number + 1
    return first + 1


def _convert(path: str, where: str, table: dict[str, Any], text: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in table.items():
        key = BY_NAME.get(name)
        if key is None:
            raise ConfigError(path, line_of(text, name), f"unknown setting {where + name!r}{nearest_key(name)}")
        try:
            converted = key.convert(value)
        except BadValue as error:
            raise ConfigError(path, line_of(text, name), f"{where}{name} must be {error}") from None
        values[name] = with_base(key, converted, os.path.dirname(path))
    return values


def nearest_key(name: str) -> str:
    """A hint at the valid key that was probably meant."""
    close = difflib.get_close_matches(name.replace("_", "-").lower(), BY_NAME, n=1, cutoff=0.0)
    return f" (did you mean {close[0]!r}?)" if close else ""


def with_base(key: Key, value: Any, folder: str) -> Any:
    """Relative paths of a setting made absolute from `folder`."""
    if not key.paths or value is None:
        return value
    if isinstance(value, str):
        return absolute(value, folder)
    return tuple(absolute_root(item, folder) if key.name == "extra-roots" else absolute(item, folder) for item in value)


def absolute_root(root: str, folder: str) -> str:
    """PATH::QUALNAME with an absolute PATH."""
    path, separator, name = root.partition("::")
    if not separator or not path or not name:
        raise UserError(f"a root is written PATH::QUALNAME, not {root!r}")
    return f"{absolute(path, folder)}::{name}"
