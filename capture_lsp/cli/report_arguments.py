"""The arguments of `capture-lsp report`."""

from __future__ import annotations

import argparse
import datetime
from typing import Any

from capture_lsp.cli.arguments import add_budget, add_frontend, jobs, late, positive
from capture_lsp.config.schema import ROOT_MODES

PAGE = "capture-report.html"


def add(commands: Any) -> None:
    """Add the command."""
    p = commands.add_parser(
        "report",
        usage="capture-lsp report [PATH ...] [OPTION ...]",
        help="write one page on a whole project",
        description=(
            "Write a page on files and folders that needs nothing but a browser: the findings with their sources and "
            "fixes; with --probe, what the real compiler makes of everything that is captured; with --history, how it "
            "went on from run to run."
        ),
        epilog=(
            "Exit status: 0 nothing found, or nothing new with --baseline; 1 findings; 2 wrong usage or configuration, "
            "or a file that could not be checked. The page is written in each case but for wrong usage."
        ),
    )
    p.set_defaults(run=late("report_command"))
    p.add_argument("paths", nargs="*", metavar="PATH", help="files or folders (default: .)")
    p.add_argument(
        "--html", nargs="?", const=PAGE, default=PAGE, metavar="FILE", help=f"the page's file (default: {PAGE})"
    )
    p.add_argument("--roots", choices=ROOT_MODES, help="what counts as captured (default: auto)")

    probe = p.add_argument_group("probe")
    probe.add_argument(
        "--probe", action="store_true", help="run all that is captured under the real compiler, as `probe --all`"
    )
    probe.add_argument(
        "--measure", action="store_true", help="with --probe: time it, with and without each break; show the kernels"
    )
    add_budget(probe)
    add_frontend(probe, "with --probe: compare")
    flag = argparse.BooleanOptionalAction
    probe.add_argument(
        "--perturb", action=flag, default=False, help="other sizes, values and dtypes, too (default: no)"
    )
    probe.add_argument("--paths", dest="explore", action=flag, default=False, help="paths not taken, too (default: no)")
    probe.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one target (default: 120)")
    probe.add_argument("--python", metavar="PATH", help="the project's interpreter or environment")

    known = p.add_argument_group("before")
    known.add_argument("--baseline", metavar="FILE", help="what this file holds is known: the rest is marked as new")
    known.add_argument("--history", metavar="FILE", help="a file that gets one line from each run; the page draws them")
    known.add_argument("--date", type=_date, metavar="YYYY-MM-DD", help="the run's date (default: today)")

    run = p.add_argument_group("run")
    run.add_argument("--exit-zero", action="store_true", help="exit with 0 when there are findings")
    run.add_argument(
        "--jobs", "-j", type=jobs, default=0, metavar="N", help="processes; 0, the default: as many as pay off"
    )
    run.add_argument("--config", metavar="PATH", help="use this configuration file for everything")
    run.add_argument("--cache-dir", metavar="PATH", help="default: the user's cache folder")
    run.add_argument("--no-cache", action="store_true", help="read and write no cache, and probe everything again")
    run.add_argument("--quiet", "-q", action="store_true", help="no progress, no notes")


def _date(text: str) -> str:
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date (YYYY-MM-DD)") from None
