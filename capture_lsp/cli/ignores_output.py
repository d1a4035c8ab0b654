"""`check --add-ignores`: writes the files with their new comments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from capture_lsp.cli import CLEAN, FAILED
from capture_lsp.config.settings import Settings
from capture_lsp.errors import UserError
from capture_lsp.formats.style import counted
from capture_lsp.ignores import add_ignores
from capture_lsp.results import RunResult
from capture_lsp.textfile import write_atomically


def write_ignores(result: RunResult, files: Mapping[str, Settings], options: argparse.Namespace) -> int:
    """Suppress what a run found; the exit status."""
    added = add_ignores(result.shown(), files, options.reason or "")
    for path in sorted(added.changed):
        try:
            write_atomically(path, added.changed[path])
        except OSError as error:
            raise UserError(f"{path}: {error.strerror or error}") from None
    if not options.quiet:
        where = counted(len(added.changed), "file")
        print(f"Suppressed {counted(added.suppressed, 'problem')} in {where}.", file=sys.stderr)
    if added.left:
        print(f"error: {counted(added.left, 'problem')} where no comment can be added", file=sys.stderr)
    return FAILED if added.left else CLEAN
