"""`capture-lsp server`."""

from __future__ import annotations

import argparse


def run(options: argparse.Namespace) -> int:
    """Serve an editor until it leaves."""
    from capture_lsp.server.main import run as serve

    return serve(options)
