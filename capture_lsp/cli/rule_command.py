"""`capture-lsp rule CODE|--all`."""

from __future__ import annotations

import argparse
import difflib
import json
import sys

from capture_lsp.catalogue import entries
from capture_lsp.cli import CLEAN
from capture_lsp.errors import UserError
from capture_lsp.rule_text import as_json, as_text, one_line


def run(options: argparse.Namespace) -> int:
    """Explain one rule, or list all."""
    if options.all == (options.code is not None):
        raise UserError("give one rule's CODE, or --all")
    every = entries()
    if options.all:
        if options.output_format == "json":
            sys.stdout.write(json.dumps([as_json(e) for e in every], indent=1) + "\n")
        else:
            sys.stdout.write("".join(one_line(e) + "\n" for e in every))
        return CLEAN
    wanted = options.code
    found = next((e for e in every if wanted.upper() == e.code or wanted.lower() == e.name), None)
    if found is None:
        known = [name for e in every for name in (e.code, e.name)]
        close = difflib.get_close_matches(wanted.upper() if wanted[:1].isupper() else wanted, known, n=1, cutoff=0.5)
        raise UserError(f"no rule {wanted!r}" + (f" (did you mean {close[0]}?)" if close else ""))
    sys.stdout.write(json.dumps(as_json(found), indent=1) + "\n" if options.output_format == "json" else as_text(found))
    return CLEAN
