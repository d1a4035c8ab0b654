"""`capture-lsp config`: the settings in force for a path, and where each came from."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from capture_lsp import torch_versions
from capture_lsp.cache import default_folder
from capture_lsp.cli import CLEAN
from capture_lsp.config.schema import KEYS
from capture_lsp.config.settings import Resolver, Settings
from capture_lsp.errors import UserError
from capture_lsp.interpreter import find_environment
from capture_lsp.options import plan
from capture_lsp.paths import absolute, display


def run(options: argparse.Namespace) -> int:
    """Print the settings."""
    cwd = os.getcwd()
    path = absolute(options.path, cwd)
    if not os.path.exists(path):
        raise UserError(f"{options.path}: no such file or folder")
    settings = Resolver(cwd, {}, options.config).for_folder(path if os.path.isdir(path) else os.path.dirname(path))
    rows = _rows(settings, cwd)
    if options.output_format == "json":
        shown = {name: {"value": value, "from": origin} for name, value, origin in rows}
        sys.stdout.write(json.dumps(shown, indent=1) + "\n")
    else:
        sys.stdout.write("".join(f"{name} = {_toml(value)}  # {origin}\n" for name, value, origin in rows))
    return CLEAN


def _rows(settings: Settings, cwd: str) -> list[tuple[str, Any, str]]:
    environment = find_environment(settings.base, settings.python)
    planned = plan(settings, ())
    rows: list[tuple[str, Any, str]] = []
    for key in KEYS:
        value, origin = getattr(settings, key.field), settings.origins[key.name]
        if key.name == "target-torch":
            if value is None:
                origin = environment.origin if environment.torch else "default: no torch found"
            value = torch_versions.text(planned.options.torch)
        elif key.name == "cache-dir" and value is None:
            value = default_folder()
        elif key.name in ("per-file-ignores", "severity"):
            value = dict(value)
        rows.append((key.name, value, display(origin, cwd) if os.path.isabs(origin) else origin))
    rows.append(("search-paths", planned.options.search_paths, "found"))
    rows.append(("site-packages", planned.options.site_paths, environment.origin or "none found"))
    return rows


def _toml(value: Any) -> str:
    if value is None:
        return '""'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
