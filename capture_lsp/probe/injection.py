"""The folder that the user's interpreter gets on its import path: a copy of `runtime_probe`, and nothing else of ours.

Our own site-packages must not be seen by the user's program: it would find our libcst, or another torch. The folder
lies in the user's cache, named by the hash of its content, so that programs of different versions do not disturb each
other.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import tempfile
import time
from collections.abc import Mapping

from capture_lsp.cache import MAX_AGE_DAYS, default_folder
from capture_lsp.errors import UserError
from capture_lsp.probe.launcher import START

PACKAGE = "runtime_probe"
LAUNCHER = "start.py"
_PREFIX = "probe-"


def injected(cache: str | None = None) -> str:
    """The folder, made or mended if need be. Raises UserError where nothing can be written."""
    files = contents()
    name = _PREFIX + _digest(files)
    for top in (cache or default_folder(), os.path.join(tempfile.gettempdir(), f"capture-lsp-{_user()}")):
        folder = os.path.join(top, name)
        with contextlib.suppress(OSError):
            if not _holds(folder, files):
                _write(folder, files)
            if _own(top) and _holds(folder, files):
                os.utime(folder)
                _forget_old(top, name)
                return folder
    raise UserError("cannot write the probe's files; set CAPTURE_LSP_CACHE_DIR to a folder that can be written")


def contents() -> dict[str, bytes]:
    """Relative path → content of everything that the folder holds."""
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise UserError("the package runtime_probe is missing: install capture-lsp again")
    found = {LAUNCHER: START.encode()}
    for folder, folders, names in os.walk(places[0]):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        for name in sorted(names):
            if not name.endswith((".pyc", ".pyo")):
                path = os.path.join(folder, name)
                with open(path, "rb") as stream:
                    found[f"{PACKAGE}/{os.path.relpath(path, places[0]).replace(os.sep, '/')}"] = stream.read()
    return found


def _digest(files: Mapping[str, bytes]) -> str:
    whole = hashlib.blake2b(digest_size=8)
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


def _holds(folder: str, files: Mapping[str, bytes]) -> bool:
    """Whether every file is there as it should be; caches are cleaned and disks fill up."""
    for name, raw in files.items():
        try:
            with open(os.path.join(folder, *name.split("/")), "rb") as stream:
                if stream.read() != raw:
                    return False
        except OSError:
            return False
    return True


def _write(folder: str, files: Mapping[str, bytes]) -> None:
    """Write beside it, then move into place: another process sees all of it or nothing."""
    top = os.path.dirname(folder)
    os.makedirs(top, mode=0o700, exist_ok=True)
    temporary = tempfile.mkdtemp(dir=top, prefix=".probe-")
    try:
        for name, raw in files.items():
            path = os.path.join(temporary, *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(raw)
        if os.path.isdir(folder) and not _holds(folder, files):
            os.replace(folder, temporary + ".old")  # damaged: whoever runs from it keeps what it has loaded
            shutil.rmtree(temporary + ".old", ignore_errors=True)
        with contextlib.suppress(OSError):  # another process was first
            os.rename(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _own(top: str) -> bool:
    """Whether a folder is ours alone to write: code from it will be run (matters in the shared temporary folder)."""
    if not hasattr(os, "getuid"):
        return True
    stat = os.stat(top)
    return stat.st_uid in (os.getuid(), 0) and not stat.st_mode & 0o002


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _forget_old(top: str, current: str) -> None:
    """Drop the folders of other versions that have not been used for long."""
    limit = time.time() - MAX_AGE_DAYS * 86_400
    for name in os.listdir(top):
        path = os.path.join(top, name)
        if name.startswith((_PREFIX, "." + _PREFIX)) and name != current:
            with contextlib.suppress(OSError):
                if os.stat(path).st_mtime < limit:
                    shutil.rmtree(path, ignore_errors=True)
