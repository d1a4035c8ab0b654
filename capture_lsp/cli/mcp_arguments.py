"""The arguments of `capture-lsp mcp`."""

from __future__ import annotations

from typing import Any

from capture_lsp.cli.arguments import late


def add(commands: Any) -> None:
    """Add the command."""
    p = commands.add_parser(
        "mcp",
        help="serve coding agents by the Model Context Protocol",
        description=(
            "Serve check, probe, explain, propose_fixes and verify_fix as tools of the Model Context Protocol, on "
            "standard input and output, for the working directory. Needs pip install 'capture-lsp[mcp]'."
        ),
    )
    p.set_defaults(run=late("mcp_command"))
    p.add_argument(
        "--allow-probe", action="store_true", help="let the tools run the project's code (default: read only)"
    )
    p.add_argument(
        "--allow-path",
        action="append",
        metavar="PATH",
        help="a file or folder outside of the working directory that the tools may read, too (repeatable)",
    )
    p.add_argument("--python", metavar="PATH", help="the interpreter or environment to run (default: the project's)")
