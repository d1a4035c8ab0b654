"""Results of probes on disk, so that a run that was interrupted goes on where it ended.

One file a target, in the user's cache folder, named by everything that the result depends on: this program and its
probe, what was asked, torch, Python and the device, and the contents of the file and of those that it was analysed
with. Files that it turned out to run besides are compared when the result is read.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from capture_lsp import __version__
from capture_lsp.cache import MAX_AGE_DAYS, key_of
from capture_lsp.inventory import digest
from capture_lsp.probe.client import Hello
from capture_lsp.probe.targets import Target, Work
from capture_lsp.textfile import write_atomically

if TYPE_CHECKING:
    from runtime_probe.report import Entry


class KeptResults:
    """A folder of results."""

    def __init__(self, folder: str, probe: str, work: Work, depends: Mapping[str, Collection[str]]) -> None:
        """`probe`: what names the probe's own code; `depends`: the files that each target's file is analysed with."""
        self._folder = os.path.join(folder, "probes")
        self._asked = json.dumps([__version__, probe, asdict(work)], sort_keys=True, default=str)
        self._depends = depends
        self._hashes: dict[str, str] = {}
        self.used = 0  #: how many targets needed no probe

    def get(self, target: Target, hello: Hello) -> list[Entry] | None:
        """What a target came to, if nothing that it depends on has changed."""
        try:
            with open(self._path(target, hello), encoding="utf-8") as stream:
                found = json.load(stream)
            if any(self._hash(path) != known for path, known in found["ran"].items()):
                return None
            entries: list[Entry] = found["entries"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        self.used += 1
        return entries

    def put(self, target: Target, hello: Hello, entries: list[Entry]) -> None:
        """Keep what was probed to its end. A folder that cannot be written costs only the next run's time."""
        if any(entry["status"] != "ok" for entry in entries):
            return
        ran = {one["path"] for entry in entries for one in entry["traced"] if os.path.isfile(one["path"])}
        value: dict[str, Any] = {"ran": {path: self._hash(path) for path in sorted(ran)}, "entries": entries}
        with contextlib.suppress(OSError):
            os.makedirs(self._folder, exist_ok=True)
            write_atomically(self._path(target, hello), json.dumps(value).encode())

    def forget_old(self) -> None:
        """Remove results that were made long ago."""
        oldest = time.time() - MAX_AGE_DAYS * 86_400
        with contextlib.suppress(OSError):
            for found in os.scandir(self._folder):
                if found.stat().st_mtime < oldest:
                    os.unlink(found.path)

    def _path(self, target: Target, hello: Hello) -> str:
        files = [target.path, *sorted(self._depends.get(target.path, ()))]
        named = json.dumps([target.path, target.entry, list(target.inputs), target.init])
        torch = json.dumps([hello.torch, hello.python, hello.device, list(hello.blind)])
        contents = (f"{path}\0{self._hash(path)}" for path in files)
        return os.path.join(self._folder, f"{key_of(self._asked, named, torch, *contents)}.json")

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            try:
                with open(path, "rb") as stream:
                    self._hashes[path] = digest(stream.read())
            except OSError:
                self._hashes[path] = ""
        return self._hashes[path]
