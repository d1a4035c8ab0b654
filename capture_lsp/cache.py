"""The cache of analysed files: one small database in the user's cache folder.

An entry is found by the tool's version, the analyzer's options, the file's path and content, and the surroundings:
which files the run has, and what is in those that hold capture calls. It holds as long as every file that it depended
on has the content it had then. A memo of (modification time, size) → content hash spares reading unchanged files.
Whatever goes wrong with the cache, the check goes on without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from analyzer.api import Options
from capture_lsp import __version__
from capture_lsp.inventory import Inventory, digest
from capture_lsp.results import Unit

if TYPE_CHECKING:
    import sqlite3

MAX_AGE_DAYS = 30
_SCHEMA = """
create table if not exists memo (path text primary key, mtime integer, size integer, hash text, flags integer)
    without rowid;
create table if not exists entry (key text primary key, used integer, value text) without rowid;
"""


def default_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The user's cache folder by the rules of the platform."""
    if given := environ.get("CAPTURE_LSP_CACHE_DIR"):
        return given
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(base, "capture-lsp", "Cache")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "capture-lsp")
    return os.path.join(environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "capture-lsp")


class Cache:
    """An open cache. Use `open_cache`."""

    def __init__(self, connection: sqlite3.Connection, path: str, failures: tuple[type[Exception], ...]) -> None:
        self._connection = connection
        self._path = path
        self._failures = failures
        self._damaged = False
        rows = connection.execute("select path, mtime, size, hash, flags from memo")
        self.memo = {row[0]: (row[1], row[2], row[3], row[4]) for row in rows}
        self._touched: list[str] = []
        self._new: dict[str, str] = {}

    def get(self, key: str) -> Any:
        """The JSON value kept under a key, or None."""
        try:
            row = self._connection.execute("select used, value from entry where key = ?", (key,)).fetchone()
            if row is None:
                return None
            check, _, text = row[1].partition(" ")
            if digest(text.encode("utf-8", "surrogatepass")) != check:
                raise ValueError(key)
            value = json.loads(text)
        except self._failures:
            self._damaged = True
            return None
        if time.time() - row[0] > 86_400:
            self._touched.append(key)
        return value

    def put(self, key: str, value: Any) -> None:
        """Keep a JSON value; written by `save`."""
        text = json.dumps(value, separators=(",", ":"))
        self._new[key] = f"{digest(text.encode('utf-8', 'surrogatepass'))} {text}"

    def get_unit(self, key: str, inventory: Inventory) -> Unit | None:
        """The unit kept under a key, if the files it depends on are what they were."""
        value = self.get(key)
        try:
            unit = None if value is None else Unit.from_json(value["unit"])
            if unit is None or dependencies_digest(unit.dependencies, inventory) != value["dependencies"]:
                return None
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            self._damaged = True
            return None
        return unit

    def put_unit(self, key: str, unit: Unit, inventory: Inventory) -> None:
        self.put(key, {"unit": unit.to_json(), "dependencies": dependencies_digest(unit.dependencies, inventory)})

    def save(self, inventory: Inventory) -> None:
        """Write what is new. Another process may write at the same time; a lost entry is only computed again."""
        import sqlite3

        now = int(time.time())
        try:
            with self._connection:
                self._connection.executemany("insert or replace into memo values (?, ?, ?, ?, ?)", inventory.fresh)
                rows = [(key, now, value) for key, value in self._new.items()]
                self._connection.executemany("insert or replace into entry values (?, ?, ?)", rows)
                touched = [(now, key) for key in self._touched]
                self._connection.executemany("update entry set used = ? where key = ?", touched)
                if rows:
                    self._connection.execute("delete from entry where used < ?", (now - MAX_AGE_DAYS * 86_400,))
        except (sqlite3.Error, UnicodeError):
            pass
        self._new.clear()
        self._touched.clear()
        inventory.fresh.clear()

    def close(self) -> None:
        """Close it; one that turned out to be damaged is removed, to be made anew by the next run."""
        self._connection.close()
        if self._damaged:
            with contextlib.suppress(OSError):
                os.unlink(self._path)


def open_cache(folder: str) -> Cache | None:
    """Open the cache, made new if it is damaged; None if there can be none."""
    try:
        import sqlite3
    except ImportError:
        return None
    path = os.path.join(folder, f"check-{__version__}.sqlite")
    for attempt in range(2):
        connection = None
        try:
            os.makedirs(folder, exist_ok=True)
            connection = sqlite3.connect(path, timeout=2)
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = off")
            connection.executescript(_SCHEMA)
            return Cache(connection, path, (sqlite3.DatabaseError, ValueError, TypeError, AttributeError))
        except OSError:
            return None
        except (sqlite3.DatabaseError, UnicodeError) as error:
            if connection is not None:
                connection.close()
            # Locked, read-only or no space: another time. Damaged: once more, from nothing.
            if attempt or (isinstance(error, sqlite3.OperationalError) and not _damage(error)):
                return None
            try:
                os.unlink(path)
            except OSError:
                return None
    return None


def _damage(error: Exception) -> bool:
    return any(words in str(error) for words in ("no such", "decode"))


def dependencies_digest(paths: Iterable[str], inventory: Inventory) -> str:
    """One hash over the contents of some files."""
    return digest("\0".join(f"{path}\0{inventory.hash(path)}" for path in paths).encode("utf-8", "surrogatepass"))


def key_of(*parts: str) -> str:
    """A key from everything that a value depends on."""
    return digest("\0".join(parts).encode("utf-8", "surrogatepass"))


def options_digest(options: Options, extra: Iterable[Any] = ()) -> str:
    """One hash over everything besides the files themselves that a unit depends on."""
    described = [__version__, sys.version_info[:2], _code_stamp(), astuple(options), list(extra)]
    return digest(json.dumps(described, default=str).encode())


@lru_cache(maxsize=1)
def _code_stamp() -> list[Any]:
    """Tells an edited source checkout of this program from the one that wrote an entry (releases differ by version)."""
    import analyzer

    own = os.path.dirname(os.path.abspath(__file__))
    if not os.path.isfile(os.path.join(os.path.dirname(own), "pyproject.toml")):
        return []
    newest = 0
    for top in (own, *analyzer.__path__):
        for folder, _, names in os.walk(top):
            for name in names:
                if not name.endswith((".pyc", ".pyo")):
                    newest = max(newest, os.stat(os.path.join(folder, name)).st_mtime_ns)
    return [newest]
