"""The log: to standard error or a file, and to the client by level."""

from __future__ import annotations

import logging
import sys

from lsprotocol import types

from capture_lsp.errors import UserError
from capture_lsp.server.language_server import CaptureServer

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
    (logging.NOTSET, types.MessageType.Log),
)


class _ToClient(logging.Handler):
    """`window/logMessage`. From the event loop's thread at once, from others through it."""

    def __init__(self, server: CaptureServer) -> None:
        super().__init__()
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        kind = next(kind for level, kind in _LEVELS if record.levelno >= level)
        if self._server.protocol.writer is not None and self._server.initialised:
            self._server.in_loop(self._server.window_log_message, types.LogMessageParams(kind, record.getMessage()))


def set_up(server: CaptureServer, file: str | None) -> None:
    """Send the log where it belongs. Raises UserError for a file that cannot be written."""
    try:
        handler: logging.Handler = logging.FileHandler(file, encoding="utf-8") if file else logging.StreamHandler()
    except OSError as error:
        raise UserError(f"{file}: {error.strerror or error}") from None
    handler.setFormatter(logging.Formatter(_FORMAT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    ours = logging.getLogger("capture_lsp")
    ours.setLevel(logging.INFO)
    ours.addHandler(_ToClient(server))
    logging.raiseExceptions = False
    sys.excepthook = lambda *about: ours.critical("the server ends", exc_info=about)
