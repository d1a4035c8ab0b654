"""Commands that need nothing but the server itself. Those that start the user's interpreter are in `probing`."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from capture_lsp.catalogue import entries, url
from capture_lsp.server.language_server import CaptureServer

OPEN_RULE = "capture-lsp.openRule"
RESTART = "capture-lsp.restartAnalysis"


def register(server: CaptureServer) -> None:
    """Add the commands."""

    @server.command(OPEN_RULE)
    async def open_rule(ls: CaptureServer, *arguments: Any) -> str | None:
        """[code or name]: shows the rule's page; its address is the answer."""
        wanted = arguments[0] if arguments else None
        entry = next((e for e in entries() if wanted in (e.code, e.name)), None)
        if entry is None:
            ls.tell(f"no rule {wanted!r}", "warning")
            return None
        address = url(entry.code)
        if ls.supports("window.show_document.support"):
            await ls.window_show_document_async(types.ShowDocumentParams(address, external=True))
        else:
            ls.tell(f"{entry.code} ({entry.name}): {address}", "info")
        return address

    @server.command(RESTART)
    def restart(ls: CaptureServer, *arguments: Any) -> None:
        """Forget every cached analysis and configuration, and begin again."""
        ls.restart_analysis()
