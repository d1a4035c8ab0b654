"""The cache of checked files: one small database in the user's cache folder.

An entry is found by the tool's version, the analyzer's options, the file's path and its content; it holds as long as
every file that it depended on has the content it had then. A memo of (modification time, size) → content hash spares
reading files that did not change. Whatever goes wrong with the cache, the check goes on without it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from analyzer.api import Options
from capture_lsp import __version__
from capture_lsp.notebook import Cell
from capture_lsp.results import FileResult, error_from_json, error_to_json, finding_from_json, finding_to_json

if TYPE_CHECKING:
    import sqlite3

#: A file changed so shortly before it was hashed may change again within the same time stamp.
RACY_NS = 2_000_000_000
MAX_AGE_DAYS = 30
_SCHEMA = """
create table if not exists memo (path text primary key, mtime integer, size integer, hash text) without rowid;
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


def digest(raw: bytes) -> str:
    """The hash of a file's content."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


class Hashes:
    """Content hashes of files, each looked at once a run; unchanged ones come from the memo."""

    def __init__(self, memo: Mapping[str, tuple[int, int, str]], overrides: Mapping[str, bytes]) -> None:
        self._memo = memo
        self._known: dict[str, str | None] = {path: digest(raw) for path, raw in overrides.items()}
        self.fresh: list[tuple[str, int, int, str]] = []

    def of(self, path: str) -> str | None:
        """The hash of a file's content; None if it cannot be read."""
        if path in self._known:
            return self._known[path]
        try:
            stat = os.stat(path)
            remembered = self._memo.get(path)
            if remembered is not None and remembered[:2] == (stat.st_mtime_ns, stat.st_size):
                found: str | None = remembered[2]
            else:
                with open(path, "rb") as stream:
                    raw = stream.read()
                found = self.note(path, stat, raw)
        except OSError:
            found = None
        self._known[path] = found
        return found

    def note(self, path: str, stat: os.stat_result, raw: bytes) -> str:
        """Remember the content that was read of a file."""
        found = digest(raw)
        self._known[path] = found
        if len(raw) == stat.st_size and time.time_ns() - stat.st_mtime_ns > RACY_NS:
            self.fresh.append((path, stat.st_mtime_ns, stat.st_size, found))
        return found


class Cache:
    """An open cache. Use `open_cache`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._memo = {row[0]: (row[1], row[2], row[3]) for row in connection.execute("select * from memo")}
        self._touched: list[str] = []
        self._new: list[tuple[str, int, str]] = []

    def hashes(self, overrides: Mapping[str, bytes]) -> Hashes:
        """The content hashes of a run; `overrides` holds content that differs from what is on disk."""
        return Hashes(self._memo, overrides)

    def get(self, key: str, path: str, hashes: Hashes) -> FileResult | None:
        """The result kept under a key, if the files it depends on are what they were."""
        row = self._connection.execute("select used, value from entry where key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            value = json.loads(row[1])
            if any(hashes.of(name) != content for name, content in value["dependencies"].items()):
                return None
            result = FileResult(
                path,
                [finding_from_json(f) for f in value["findings"]],
                [error_from_json(e) for e in value["errors"]],
                tuple(Cell(*c) for c in value["cells"]),
                tuple(value["dependencies"]),
            )
        except (ValueError, KeyError, TypeError):
            return None
        if time.time() - row[0] > 86_400:
            self._touched.append(key)
        return result

    def put(self, key: str, result: FileResult, hashes: Hashes) -> None:
        value = {
            "findings": [finding_to_json(f) for f in result.findings],
            "errors": [error_to_json(e) for e in result.errors],
            "cells": [[c.index, c.first, c.count] for c in result.cells],
            "dependencies": {name: hashes.of(name) for name in result.dependencies},
        }
        self._new.append((key, int(time.time()), json.dumps(value, separators=(",", ":"))))

    def save(self, hashes: Hashes) -> None:
        """Write what is new. Another process may write at the same time; a lost entry is only computed again."""
        import sqlite3

        try:
            with self._connection:
                now = int(time.time())
                self._connection.executemany("insert or replace into memo values (?, ?, ?, ?)", hashes.fresh)
                self._connection.executemany("insert or replace into entry values (?, ?, ?)", self._new)
                self._connection.executemany(
                    "update entry set used = ? where key = ?", [(now, k) for k in self._touched]
                )
                if self._new:
                    self._connection.execute("delete from entry where used < ?", (now - MAX_AGE_DAYS * 86_400,))
        except (sqlite3.Error, UnicodeError):
            pass
        self._new.clear()
        self._touched.clear()
        hashes.fresh.clear()

    def close(self) -> None:
        self._connection.close()


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
            return Cache(connection)
        except sqlite3.OperationalError:  # locked, read-only, no space
            if connection is not None:
                connection.close()
            return None
        except sqlite3.DatabaseError:
            if connection is not None:
                connection.close()
            if attempt:
                return None
            try:
                os.unlink(path)
            except OSError:
                return None
        except OSError:
            return None
    return None


def options_digest(options: Options, extra: Iterable[Any] = ()) -> str:
    """One hash over everything besides the files themselves that a result depends on."""
    described = json.dumps([__version__, _code_stamp(), astuple(options), list(extra)], default=str, sort_keys=True)
    return digest(described.encode())


def key_of(options_hash: str, path: str, content: str) -> str:
    return digest(f"{options_hash}\0{path}\0{content}".encode("utf-8", "surrogatepass"))


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
