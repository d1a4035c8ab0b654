"""The HTML of the simulator and of the project report: one script, one style sheet and the data of each.

The scripts are built from the npm package in `pages/`. A page asks for nothing beyond itself and, where it is served,
its own server."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Literal

from capture_lsp.errors import UserError

Kind = Literal["simulator", "report"]

ASSETS = Path(__file__).with_name("assets")
MISSING = "this checkout has no built pages: run `make pages` (needs Node 20 or later)"

#: The header `Content-Security-Policy` of a page that is served (`inline=False`).
SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def asset(name: str) -> str:
    """A built file, as `simulator.js`.

    Raises:
        UserError: the pages are not built.
    """
    try:
        return (ASSETS / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(MISSING) from None


def page(kind: Kind, data: object, *, inline: bool, title: str = "", prefix: str = "", query: str = "") -> str:
    """The page with its data.

    Args:
        data: Anything that JSON can say (no NaN, no infinity).
        inline: Script and styles are in the file itself, which then works from a disk and may not connect to anything;
            otherwise they are `<prefix><kind>.js<query>` and `<prefix><kind>.css<query>`, for a server that sends
            `SERVED_POLICY`.
        title: What the browser's tab says.
        query: Goes behind the names, as `?token=…`.

    Raises:
        UserError: the pages are not built.
        ValueError: the data has NaN or infinity.
    """
    script, style = asset(f"{kind}.js"), asset(f"{kind}.css")
    if inline:
        # The build writes neither `</script` nor `</style` in what it makes.
        policy = (
            f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
            "connect-src 'none'; base-uri 'none'; form-action 'none'"
        )
        head = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n<style>{style}</style>'
        tail = f"<script>{script}</script>"
    else:
        asset_name = html.escape(f"{prefix}{kind}")
        end = html.escape(query)
        head = f'<link rel="stylesheet" href="{asset_name}.css{end}">'
        tail = f'<script src="{asset_name}.js{end}"></script>'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{html.escape(title or "capture-lsp")}</title>
{head}
</head>
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<script type="application/json" id="data">{encoded(data)}</script>
{tail}
</body>
</html>
"""


def encoded(data: object) -> str:
    """JSON that ends no script element, opens no comment and is also JavaScript."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A lone surrogate, as of a file name, cannot be written as UTF-8; as an escape it can.
    text = re.sub("[\ud800-\udfff\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.replace("<", "\\u003c")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
