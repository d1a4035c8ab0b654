"""How the answer of a command reaches the user, whatever the client can show.

Many clients drop what a command answers, and some wait for it with their window frozen (eglot: ten seconds at most).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any

from lsprotocol import types

from capture_lsp.server.language_server import CaptureServer

STARTED = {"status": "started"}
#: Emacs 28 leaves what comes in one piece with an answer unread until more comes: the answer goes alone.
_AFTER_ANSWER = 0.1
_running: set[asyncio.Task[Any]] = set()  # the event loop keeps no task alive


async def long(server: CaptureServer, work: Coroutine[Any, Any, Any]) -> Any:
    """The answer of work that takes long. A client that shows no progress has it at once, and messages later."""
    if server.supports("window.work_done_progress"):
        return await work

    async def later() -> None:
        await asyncio.sleep(_AFTER_ANSWER)
        await work

    background(server, later())
    return STARTED


def background(server: CaptureServer, work: Coroutine[Any, Any, Any]) -> None:
    """Do work that nobody waits for; a defect in it is told as one in a handler is."""

    def ended(task: asyncio.Task[Any]) -> None:
        _running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            server.report_server_error(error if isinstance(error, Exception) else RuntimeError(str(error)), None)

    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(ended)


async def show(server: CaptureServer, name: str, text: str) -> None:
    """Show a text: as a document, for which it is written beside the cache, else as a message."""
    from pygls.uris import from_fs_path

    from capture_lsp.cache import default_folder
    from capture_lsp.textfile import write_atomically

    if not server.supports("window.show_document.support"):
        server.tell(text, "info")
        return
    path = os.path.join(default_folder(), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
    await server.window_show_document_async(types.ShowDocumentParams(from_fs_path(path) or path))
