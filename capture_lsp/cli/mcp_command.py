"""`capture-lsp mcp`."""

from __future__ import annotations

import argparse
import importlib.util

from capture_lsp.errors import UserError


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves. Raises UserError where the package is missing."""
    if importlib.util.find_spec("mcp") is None:
        raise UserError("the package mcp is missing: pip install 'capture-lsp[mcp]'")
    try:
        from capture_lsp.mcp.serve import run as serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        raise UserError(f"the package mcp is too old ({error}): pip install 'capture-lsp[mcp]'") from None
    return serve(options)
