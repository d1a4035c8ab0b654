"""The arguments of `capture-lsp lock`."""

from __future__ import annotations

import argparse
from typing import Any

from capture_lsp.cli.arguments import add_frontend, jobs, late, positive


def add(commands: Any) -> None:
    """Add the command."""
    p = commands.add_parser(
        "lock",
        usage="capture-lsp lock [OPTION ...] [FILE[::ENTRY] ...]",
        help="record what is captured in capture.lock, or check that it has not become worse",
        description=(
            "Probe entries and record what torch.compile and the other frontends make of them in capture.lock, by "
            "torch release. Without targets: those of the lock; where there is none, all that the project captures. "
            "With --check nothing is written: what is worse than recorded fails."
        ),
        epilog=(
            "Exit status: 0 recorded, or nothing worse; 1 something is worse than recorded; 2 wrong usage, or a target "
            "that could not be probed to its end."
        ),
    )
    p.set_defaults(run=late("lock_command"))
    p.add_argument("targets", nargs="*", metavar="FILE[::ENTRY]", help="what to probe")
    p.add_argument("--check", action="store_true", help="compare with the lock instead of writing it")
    p.add_argument("--all", action="store_true", help="look again for all that the project captures")
    p.add_argument("--lock-file", metavar="PATH", help="default: capture.lock in the project's top folder")

    calls = p.add_argument_group("calls")
    calls.add_argument("--inputs", action="append", metavar="EXPR", help="one call; see `capture-lsp probe --help`")
    calls.add_argument("--init", metavar="EXPR", help="the arguments of the entry's constructor")

    what = p.add_argument_group("what is done")
    add_frontend(what, "record")
    flag = argparse.BooleanOptionalAction
    what.add_argument("--perturb", action=flag, default=True, help="other sizes, values and dtypes, too (default: yes)")

    run = p.add_argument_group("run")
    run.add_argument(
        "--python", action="append", metavar="PATH", help="the interpreter (repeatable: one torch release each)"
    )
    run.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one target (default: 120)")
    run.add_argument("--jobs", "-j", type=jobs, default=1, metavar="N", help="targets at the same time (default: 1)")
    run.add_argument("--config", metavar="PATH", help="use this configuration file for everything")
    run.add_argument("--quiet", "-q", action="store_true", help="no progress, no notes")
    p.add_argument("--output-format", choices=("full", "json"), default="full", help="of --check (default: full)")
