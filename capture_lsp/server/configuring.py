"""Suppressing a rule in the configuration, for one file or for all: where, and as which edit."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from lsprotocol import types

from analyzer.finding import Edit, Finding
from capture_lsp.config.files import OWN_FILE, PYPROJECT, ConfigFile, nearest
from capture_lsp.config.toml_edit import Path, with_code
from capture_lsp.errors import UserError
from capture_lsp.paths import ancestors, display, inside
from capture_lsp.server import edits
from capture_lsp.server.documents import Text
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.textfile import line_starts

_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


@dataclass(frozen=True)
class Place:
    """A list of codes in a configuration file. `new`: the file is yet to be made."""

    title: str
    path: str
    table: Path
    key: Path
    new: bool


#: The configuration files that were read, by folder.
Known = dict[str, "ConfigFile | None"]


def places(ls: CaptureServer, finding: Finding, known: Known) -> Iterator[Place]:
    """Where a finding's code can be listed; nowhere that the editor's own settings would come before."""
    session = ls.session
    try:
        found = nearest(os.path.dirname(finding.path), known)
    except UserError:  # it is told of already
        return
    path = found.path if found is not None else _without_table(ls, finding.path)
    new = path is None
    if path is None:
        if not _creates(ls):
            return
        path = os.path.join(session.folder_of(finding.path).path, OWN_FILE)
    table = ("tool", "capture-lsp") if os.path.basename(path) == PYPROJECT else ()
    set_by_editor = session.folder_of(finding.path).settings.overrides
    folder = os.path.dirname(path)
    name = display(path, session.folder_of(finding.path).path)
    if "per-file-ignores" not in set_by_editor and inside(finding.path, folder) and os.path.exists(finding.path):
        relative = display(finding.path, folder)
        # Without a slash in it a pattern holds in every folder.
        pattern = _SPECIAL.sub(r"\\\1", relative if "/" in relative else f"/{relative}")
        title = f"Suppress {finding.code} for {relative} in {name}"
        yield Place(title, path, table, ("per-file-ignores", pattern), new)
    if "ignore" not in set_by_editor:
        yield Place(f"Suppress {finding.code} everywhere in {name}", path, table, ("ignore",), new)


def edit(ls: CaptureServer, place: Place, code: str) -> types.WorkspaceEdit | None:
    """The edit that lists a code; None where only the user can make it."""
    text = Text("") if place.new else ls.session.text_of(place.path)
    insertions = with_code(text.plain, place.table, place.key, code) if text is not None else None
    if text is None or insertions is None:
        return None
    if place.new:
        return _created(ls, place.path, "".join(new for _, new in insertions))
    starts = line_starts(text.plain)
    found = []
    for offset, new in insertions:
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1] + 1
        found.append(Edit(place.path, line, column, line, column, new))
    return edits.workspace_edit(ls, found)


def _created(ls: CaptureServer, path: str, text: str) -> types.WorkspaceEdit:
    uri = ls.session.uri_of(path)
    start = types.Position(0, 0)
    change = edits.Changes(uri, None, [types.TextEdit(types.Range(start, start), text)])
    create = types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True))
    return types.WorkspaceEdit(document_changes=[create, edits.versioned(change)])


def _creates(ls: CaptureServer) -> bool:
    kinds = ls.capability("workspace.workspace_edit.resource_operations") or ()
    documents = ls.supports("workspace.workspace_edit.document_changes")
    return documents and types.ResourceOperationKind.Create in kinds


def _without_table(ls: CaptureServer, path: str) -> str | None:
    """The nearest pyproject.toml of the workspace, which has no table of ours."""
    top = ls.session.folder_of(path).path
    for folder in ancestors(os.path.dirname(path)):
        if not inside(folder, top):
            break
        candidate = os.path.join(folder, PYPROJECT)
        if os.path.isfile(candidate):
            return candidate
    return None
