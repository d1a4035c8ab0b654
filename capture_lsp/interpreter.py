"""Finds the project's Python environment and its torch by looking at files: nothing is started, nothing imported.

`executable` names the interpreter that a probe starts, when the user asks for one.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from capture_lsp.paths import ancestors

_DIST = re.compile(r"^torch-(\d+)\.(\d+)[^-]*(?:-.*)?\.(?:dist-info|egg-info)$", re.IGNORECASE)
_VERSION = re.compile(r"""^__version__\s*=\s*['"](\d+)\.(\d+)""", re.MULTILINE)
_LIBRARY = ("lib", "lib64")


@dataclass(frozen=True)
class Environment:
    """The folders that installed packages are found in, the torch among them, and how it was found.

    `python`: its interpreter or its folder, see `executable`; empty if there is none.
    """

    site_paths: tuple[str, ...]
    torch: tuple[int, int] | None
    origin: str
    python: str = ""


def find_environment(project: str, python: str | None, environ: Mapping[str, str] = os.environ) -> Environment:
    """The environment of a project: the setting, else VIRTUAL_ENV, else `.venv` in the project, else python on PATH.

    Where none of these has torch, the one that runs this program is asked last.
    """
    if python is not None:
        return _environment(site_paths(python, project, environ), "the setting python", python)
    active = environ.get("VIRTUAL_ENV")
    if active and os.path.isdir(active):
        return _environment(site_paths(active, project, environ), "VIRTUAL_ENV", active)
    for folder in ancestors(project):
        for name in (".venv", "venv"):
            place = os.path.join(folder, name)
            if os.path.isfile(os.path.join(place, "pyvenv.cfg")):
                return _environment(site_paths(place, project, environ), name, place)
        if os.path.exists(os.path.join(folder, ".git")):
            break
    found = Environment((), None, "")
    for name in ("python", "python3"):
        python = _on_path(name, environ)
        if python is not None:
            found = _environment(site_paths(python, project, environ), f"{name} on PATH", python)
            if found.site_paths:
                break
    if found.torch is None:
        own = _environment(_prefix_sites(sys.prefix), "the interpreter of capture-lsp", sys.executable)
        if own.torch is not None or not found.site_paths:
            return own
    return found


def executable(python: str) -> str | None:
    """The interpreter itself, where `python` may name the folder of an environment; None if there is none."""
    if os.path.isdir(python):
        names = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
        found = (os.path.join(python, *name.split("/")) for name in names)
        return next((path for path in found if os.path.isfile(path)), None)
    return python if os.path.isfile(python) else None


def site_paths(python: str, project: str, environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The site-packages of an interpreter or of an environment's folder."""
    if os.path.isdir(python):
        return _prefix_sites(python)
    folder = os.path.dirname(python)
    if os.path.basename(folder) == "shims":
        prefix = _pyenv_prefix(os.path.dirname(folder), project, environ)
        return _prefix_sites(prefix) if prefix else ()
    for executable in dict.fromkeys((python, os.path.realpath(python))):
        folder = os.path.dirname(executable)
        prefix = os.path.dirname(folder) if os.path.basename(folder).lower() in ("bin", "scripts") else folder
        found = _prefix_sites(prefix)
        if found:
            return found
    return ()


def _environment(sites: tuple[str, ...], origin: str, python: str) -> Environment:
    return Environment(sites, torch_in(sites), origin, python)


def torch_in(sites: tuple[str, ...]) -> tuple[int, int] | None:
    """The version of torch that these folders hold, from its metadata."""
    for site in sites:
        try:
            names = os.listdir(site)
        except OSError:
            continue
        for name in names:
            if match := _DIST.match(name):
                return int(match[1]), int(match[2])
        try:
            with open(os.path.join(site, "torch", "version.py"), encoding="utf-8") as stream:
                if match := _VERSION.search(stream.read()):
                    return int(match[1]), int(match[2])
        except (OSError, UnicodeDecodeError):
            continue
    return None


def _prefix_sites(prefix: str) -> tuple[str, ...]:
    found = [os.path.join(prefix, "Lib", "site-packages")]
    for library in _LIBRARY:
        found += sorted(
            glob.glob(os.path.join(glob.escape(prefix), library, "python3*", "site-packages")), reverse=True
        )
        found += sorted(
            glob.glob(os.path.join(glob.escape(prefix), library, "python3*", "dist-packages")), reverse=True
        )
    if os.path.normpath(prefix) == "/usr":
        found += sorted(glob.glob("/usr/local/lib/python3*/dist-packages"), reverse=True)
    found += _system_sites(os.path.join(prefix, "pyvenv.cfg"))
    unique: dict[str, str] = {}
    for folder in found:
        if os.path.isdir(folder):
            unique.setdefault(os.path.realpath(folder), folder)
    return tuple(unique.values())


def _system_sites(config: str) -> tuple[str, ...]:
    """What a virtual environment made with --system-site-packages sees besides its own."""
    try:
        with open(config, encoding="utf-8") as stream:
            pairs = [line.partition("=") for line in stream]
    except (OSError, UnicodeDecodeError):
        return ()
    values = {name.strip().lower(): value.strip() for name, _, value in pairs}
    if values.get("include-system-site-packages", "").lower() != "true" or not values.get("home"):
        return ()
    home = values["home"]
    return _prefix_sites(os.path.dirname(home) if os.path.basename(home).lower() in ("bin", "scripts") else home)


def _on_path(name: str, environ: Mapping[str, str]) -> str | None:
    import shutil

    return shutil.which(name, path=environ.get("PATH", ""))


def _pyenv_prefix(root: str, project: str, environ: Mapping[str, str]) -> str | None:
    """The version that a pyenv shim would run."""
    wanted = environ.get("PYENV_VERSION", "")
    if not wanted:
        for file in [*(os.path.join(f, ".python-version") for f in ancestors(project)), os.path.join(root, "version")]:
            try:
                with open(file, encoding="utf-8") as stream:
                    wanted = stream.read()
                break
            except (OSError, UnicodeDecodeError):
                continue
    versions = os.path.join(root, "versions")
    for name in wanted.replace(":", " ").split():
        exact = os.path.join(versions, name)
        if os.path.isdir(exact):
            return exact
        newest = sorted(glob.glob(os.path.join(glob.escape(versions), name + ".*")))
        if newest:
            return newest[-1]
    return None
