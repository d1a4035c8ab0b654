"""Probes for the tools: with interpreters that stay warm, and of programs as they would be after a fix."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from analyzer.project import import_root
from capture_lsp.cli.probe_command import client_for
from capture_lsp.config.settings import Resolver
from capture_lsp.errors import UserError
from capture_lsp.formats.probe.json_format import relative_paths
from capture_lsp.lock.comparison import compare
from capture_lsp.lock.recording import record
from capture_lsp.mcp.served import Served
from capture_lsp.options import search_paths
from capture_lsp.paths import inside
from capture_lsp.probe.client import Client
from capture_lsp.probe.run import run
from capture_lsp.probe.targets import Target, Work, parse
from capture_lsp.reading import text_of

if TYPE_CHECKING:
    from runtime_probe.report import Report

REFUSED = (
    "probing runs the project's code, and this server was started without it. Only the user can allow it, by starting "
    "the server as `capture-lsp mcp --allow-probe`. `check` needs no permission."
)
#: Parts of a verification: enough to see whether the graphs are whole.
_QUICK = ("dynamo", "fullgraph")
#: What of a program goes along when a changed copy of it is run (bytes).
_LARGEST = 4_000_000


class Probes:
    """Answers for the tools. `close` ends the interpreters."""

    def __init__(self, served: Served, allowed: bool, python: str | None = None) -> None:
        self._served = served
        self._cwd = cwd = served.cwd
        self._allowed = allowed
        self._resolver = Resolver(cwd, {} if python is None else {"python": python})
        self._clients: dict[str, Client] = {}

    def close(self) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()

    @property
    def refusal(self) -> str:
        """Why nothing may be probed; empty if it may."""
        return "" if self._allowed else REFUSED

    def probed(self, text: str, inputs: Sequence[str], init: str | None, parts: tuple[str, ...]) -> dict[str, Any]:
        """The report of `capture-lsp probe --output-format json`. Raises UserError."""
        self._verify()
        report = self._run(self._target(text, inputs, init), parts)
        document: dict[str, Any] = relative_paths(report, self._cwd)
        return document

    def compared(self, text: str, inputs: Sequence[str], contents: Mapping[str, bytes]) -> dict[str, Any]:
        """What a probe of a target says before and after its files have other contents: `worse`, `better`, `other`,
        and what is known of it then."""
        self._verify()
        target = self._target(text, inputs)
        before = self._run(target, _QUICK)
        with _copied(target, contents) as (copy, root, original):
            after = self._run(copy, _QUICK, (original,))
            for report, base in ((before, original), (after, root)):
                for entry in report["entries"]:
                    path = copy.path if report is after else target.path
                    entry["target"] = path + (f"::{target.entry}" if target.entry else "")
                    if entry["status"] != "ok":
                        raise UserError(f"{text}: {entry['message'].replace(base, original)}")
            old, new = record(before, original, text_of, False), record(after, root, text_of, False)
        found = compare(old, new)
        entries = {
            name: {"graphs": entry.graphs, "breaks": len(entry.breaks), "matrix": entry.matrix}
            for name, entry in new.items()
        }
        return {"worse": found.worse, "better": found.better, "other": found.other, "entries": entries}

    def _target(self, text: str, inputs: Sequence[str], init: str | None = None) -> Target:
        target = parse(text, self._cwd, inputs, init)
        self._served.path(target.path)
        return target

    def _verify(self) -> None:
        if self.refusal:
            raise UserError(self.refusal)

    def _run(self, target: Target, parts: tuple[str, ...], more_paths: tuple[str, ...] = ()) -> Report:
        settings = self._resolver.for_folder(os.path.dirname(target.path) if not more_paths else more_paths[0])
        client = self._clients.get(settings.base)
        if client is None:
            client = self._clients[settings.base] = client_for(settings, self._cwd)
        paths = {target.path: (*more_paths, *search_paths(settings))}
        report = run(client, [target], Work(parts=parts), paths)
        for error in report["errors"]:
            raise UserError(f"{target.text}: {error['message']}")
        return report


@contextmanager
def _copied(target: Target, contents: Mapping[str, bytes]) -> Iterator[tuple[Target, str, str]]:
    """The target in a copy of its package (or of its one file) with changed contents, the folder of the copy, and the
    folder that it is imported from; other modules are still those of that folder."""
    original, name, _ = import_root(target.path)
    top = name.partition(".")[0]
    with tempfile.TemporaryDirectory(prefix="capture-lsp-") as folder:
        root = os.path.realpath(folder)
        if "." in name:
            shutil.copytree(os.path.join(original, top), os.path.join(root, top), ignore=_too_large)
        else:
            shutil.copy2(target.path, root)
        for path, raw in contents.items():
            if not inside(path, original):
                raise UserError(f"{path}: it is not imported from where {target.path} is; it cannot be probed changed")
            there = os.path.join(root, os.path.relpath(path, original))
            os.makedirs(os.path.dirname(there), exist_ok=True)
            with open(there, "wb") as stream:
                stream.write(raw)
        path = os.path.join(root, os.path.relpath(target.path, original))
        text = path + (f"::{target.entry}" if target.entry else "")
        yield Target(text, path, target.entry, target.inputs, target.init), root, original


def _too_large(folder: str, names: list[str]) -> list[str]:
    """What of a folder is not copied."""
    paths = {name: os.path.join(folder, name) for name in names}
    left = (n for n, p in paths.items() if n == "__pycache__" or (os.path.isfile(p) and os.path.getsize(p) > _LARGEST))
    return list(left)
