"""`check --compare`: one check for each torch release of --target-torch, and what changes from one to the next."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import pairwise

from capture_lsp.cli import CLEAN, FAILED, FOUND
from capture_lsp.errors import UserError
from capture_lsp.formats.preview import FORMATS, render
from capture_lsp.formats.style import Style
from capture_lsp.preview import preview
from capture_lsp.results import RunResult
from capture_lsp.torch_versions import NEWEST, OLDEST, text


def verify(form: str) -> None:
    """Raise for a format that has no place for a comparison."""
    if form not in FORMATS:
        raise UserError(f"--compare writes {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {form}")


def verify_releases(releases: Sequence[tuple[int, int]]) -> None:
    """Raise for releases that nothing can be said of."""
    if len(releases) < 2:
        raise UserError("--compare needs two releases or more: give --target-torch for each")
    for release in releases:
        if not OLDEST <= release <= NEWEST:
            raise UserError(f"--compare knows torch {text(OLDEST)} to {text(NEWEST)}, not {text(release)}")
    for release, after in pairwise(releases):
        if release == after:
            raise UserError(f"--compare: torch {text(release)} with itself; give another --target-torch")


def run(
    options: argparse.Namespace, checked: Callable[[tuple[int, int]], RunResult], form: str, cwd: str, style: Style
) -> tuple[str, int, RunResult]:
    """The text, the exit status, and the run under the last release."""
    verify(form)
    results = [checked(version) for version in options.target_torch]
    steps = [preview(old, new) for old, new in pairwise(results)]
    if any(result.all_errors() for result in results):
        status = FAILED
    else:
        status = FOUND if any(step.worse for step in steps) and not options.exit_zero else CLEAN
    return render(steps, form, cwd, style), status, results[-1]
