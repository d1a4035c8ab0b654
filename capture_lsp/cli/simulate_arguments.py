"""The arguments of `capture-lsp simulate`."""

from __future__ import annotations

import argparse
from typing import Any

from capture_lsp.cli.arguments import late, positive


def add(commands: Any) -> None:
    """Add the command."""
    p = commands.add_parser(
        "simulate",
        usage="capture-lsp simulate [OPTION ...] FILE[::ENTRY] | --gallery [NAME]",
        help="capture a program with inputs that you choose, and see in a browser what each capture keeps",
        description=(
            "Capture a program with each frontend, call what was captured with other inputs, and see in a browser "
            "whether the graph, the branches and the answer are what they should be. This runs your code, as `probe` "
            "does, each time you choose something. The page is served to this machine alone, until Ctrl-C."
        ),
        epilog=(
            "Exit status: 0 ended by Ctrl-C, or the page was written; 2 wrong usage, or a program that cannot be run."
        ),
    )
    p.set_defaults(run=late("simulate_command"))
    p.add_argument(
        "target",
        nargs="?",
        metavar="FILE[::ENTRY]",
        help="the program; without ENTRY: what its `# capture: inputs(...)` comment is on, else the one that is there",
    )
    p.add_argument(
        "--gallery", nargs="?", const="", metavar="NAME", help="the programs that come along, or the one of this name"
    )
    p.add_argument("--list", action="store_true", help="list the programs of the gallery")

    calls = p.add_argument_group("the given call")
    calls.add_argument(
        "--inputs",
        action="append",
        metavar="EXPR",
        help="its arguments, written as for `capture-lsp probe`; repeated: more inputs to choose from (default: found "
        "in the file, else made up)",
    )
    calls.add_argument("--init", metavar="EXPR", help="the arguments of the entry's constructor, written like --inputs")

    page = p.add_argument_group("the page")
    page.add_argument("--port", type=port, default=0, metavar="N", help="default: one that is free")
    page.add_argument("--no-browser", action="store_true", help="print the address, and open nothing")
    page.add_argument("--export", metavar="FILE", help="write one HTML file with recorded runs instead of serving")
    how_many = page.add_mutually_exclusive_group()
    how_many.add_argument("--limit", type=runs, metavar="N", help="with --export: record at most N runs (default: 300)")
    how_many.add_argument(
        "--all-combinations", action="store_true", help="with --export: record every captured and every later call"
    )

    run = p.add_argument_group("run")
    run.add_argument("--python", metavar="PATH", help="the interpreter or environment to run (default: the project's)")
    run.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one run (default: 120)")
    run.add_argument("--memory", type=positive, metavar="GIB", help="for one run (default: 8)")
    run.add_argument("--config", metavar="PATH", help="use this configuration file for everything")
    run.add_argument("--quiet", "-q", action="store_true", help="no progress, no notes")


def port(text: str) -> int:
    """A TCP port; 0 stands for one that is free."""
    if not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (0 to 65535)")
    return int(text)


def runs(text: str) -> int:
    """A number of runs above zero."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of runs")
    return int(text)
