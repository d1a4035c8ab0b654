"""`check --fix` and `check --diff`: what becomes of the fixed texts."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Mapping

from analyzer.finding import FileError
from capture_lsp.check import Run
from capture_lsp.config.settings import Settings
from capture_lsp.fixes import fix_all
from capture_lsp.formats.style import counted
from capture_lsp.paths import display
from capture_lsp.results import RunResult
from capture_lsp.textfile import write_atomically


def fix(files: Mapping[str, Settings], run: Run, options: argparse.Namespace, cwd: str) -> RunResult:
    """Fix in memory, then write or show. With --diff, the result is that of the files as they are."""
    from_stdin = dict(run.overrides)
    if options.diff:
        from capture_lsp.check import check

        as_it_is = check(files, run)
        fixed = fix_all(files, run, bool(options.unsafe_fixes))
        for path in sorted(fixed.changed):
            sys.stdout.write(diff(path, fixed.before[path], fixed.changed[path], cwd))
        as_it_is.overrides = from_stdin
        return as_it_is
    fixed = fix_all(files, run, bool(options.unsafe_fixes))
    for path in sorted(fixed.changed):
        if path not in from_stdin:
            try:
                write_atomically(path, fixed.changed[path])
            except OSError as error:
                message = f"cannot write the fixed file: {error.strerror or error}"
                fixed.result.errors.append(FileError(path, 1, "unwritable", message))
    if options.stdin:
        for path, raw in from_stdin.items():
            sys.stdout.buffer.write(fixed.changed.get(path, raw))
    if fixed.applied and not options.quiet:
        print(
            f"Fixed {counted(fixed.applied, 'problem')} in {counted(len(fixed.changed), 'file')}.",
            file=sys.stderr,
        )
    return fixed.result


def diff(path: str, before: bytes, after: bytes, cwd: str) -> str:
    """A unified diff of two contents of a file, as `patch` takes it."""
    from capture_lsp import textfile
    from capture_lsp.reading import is_notebook

    def lines(raw: bytes) -> list[str]:
        text = raw.decode("utf-8-sig") if is_notebook(path) else textfile.decode(raw).raw_text
        return text.split("\n")  # a carriage return stays: `patch` compares it

    shown = display(path, cwd)
    old, new = lines(before), lines(after)
    missing_end = "\n\\ No newline at end of file"

    def ended(rows: list[str]) -> list[str]:
        return [*rows[:-1], *([rows[-1] + missing_end] if rows[-1] else [])]

    return "".join(
        line.rstrip("\n") + "\n" for line in difflib.unified_diff(ended(old), ended(new), shown, shown, lineterm="")
    )
