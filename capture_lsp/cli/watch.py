"""`check --watch`: checks again when a file, one it depends on, or a configuration file changes."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time

from capture_lsp.cli import CLEAN
from capture_lsp.cli.check_command import check_once
from capture_lsp.config.settings import Resolver
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.reading import stamp
from capture_lsp.results import RunResult

INTERVAL = 0.3

Stamp = dict[str, "tuple[int, int] | None"]


def watch(options: argparse.Namespace) -> int:
    """Check until interrupted."""
    try:
        while True:
            started = _stamps(options, set())
            extra: set[str] = set()
            try:
                _clear()
                _, result, resolver = check_once(options)
                gc.collect()
                extra = _depended_on(result, resolver)
            except UserError as error:  # a configuration that is being edited
                print(f"error: {error}", file=sys.stderr)
            known = {**{path: stamp(path) for path in extra}, **started}
            print("Watching for changes (Ctrl-C ends).", file=sys.stderr, flush=True)
            while _stamps(options, extra) == known:
                time.sleep(INTERVAL)
    except KeyboardInterrupt:
        return CLEAN


def _depended_on(result: RunResult, resolver: Resolver) -> set[str]:
    return {*resolver.config_paths(), *(name for file in result.files for name in file.dependencies)}


def _stamps(options: argparse.Namespace, extra: set[str]) -> Stamp:
    """Time and size of every file that counts, as it is now."""
    cwd = os.getcwd()
    try:
        files = set(discover(options.paths or ["."], Resolver(cwd, {}, options.config)).files)
        configs = set(_configs(files, options))
    except UserError:
        files, configs = set(), {os.path.join(cwd, name) for name in ("capture-lsp.toml", "pyproject.toml")}
    return {path: stamp(path) for path in files | configs | extra}


def _configs(files: set[str], options: argparse.Namespace) -> list[str]:
    if options.config is not None:
        return [os.path.abspath(options.config)]
    folders = {os.path.dirname(path) for path in files} | {os.getcwd()}
    return [os.path.join(f, n) for f in folders for n in ("capture-lsp.toml", "pyproject.toml", ".gitignore")]


def _clear() -> None:
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[2J\x1b[H")
