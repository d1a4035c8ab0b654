"""`capture-lsp server`: the transport, the log, and the life of the process."""

from __future__ import annotations

import argparse
import gc
import importlib.util
import logging
import os
import sys
from typing import BinaryIO

from capture_lsp.errors import UserError
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.logs import set_up

#: A thread that has work gives way this often (s): a request is not to wait for an analysis.
_SWITCH = 0.001


def run(options: argparse.Namespace) -> int:
    """Serve one client; 0 if it asked for the shutdown before it left."""
    address = _address(options.tcp or options.ws)
    if options.ws and importlib.util.find_spec("websockets") is None:
        raise UserError("--ws needs the package websockets: pip install 'capture-lsp[ws]'")
    stdin, stdout = _own_streams() if address is None else (None, None)
    server = build()
    set_up(server, options.log_file)
    sys.setswitchinterval(_SWITCH)
    gc.enable()  # the command line turns it off for runs that end soon
    gc.collect()
    gc.freeze()
    try:
        if address is None:
            server.start_io(stdin, stdout)
        else:
            _listen(server, *address, websocket=bool(options.ws))
    finally:
        server.session.stop()
        for end in server.ending:
            end()
    return 0 if server.protocol.ended_well else 1


def _listen(server: CaptureServer, host: str, port: int, websocket: bool) -> None:
    """Serve the first client that connects. Raises UserError where nobody can."""
    logging.getLogger("pygls.server").setLevel(logging.INFO)  # it tells the port, which 0 leaves open
    try:
        (server.start_ws if websocket else server.start_tcp)(host, port)
    except OSError as error:
        if server.listening:
            raise
        raise UserError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None


def build() -> CaptureServer:
    """The server with all its features."""
    from capture_lsp.server import (
        actions,
        capture_view,
        commands,
        diagnostics,
        graph_commands,
        hover,
        inlay,
        lens,
        notebooks,
        probing,
        state,
        sync,
        view_changed,
        workspace_check,
        workspace_scan,
        wrong_settings,
    )

    server = CaptureServer(notebooks.SYNC)
    sync.register(server)
    notebooks.register(server, sync.span)
    made = diagnostics.register(server)
    commands.register(server)
    workspace_check.register(server, made)
    workspace_scan.register(server)
    wrong_settings.register(server)
    probes = probing.register(server)
    graph_commands.register(server, probes)
    capture_view.register(server, probes)
    view_changed.register(server, probes)
    state.register(server, probes)
    inlay.register(server, probes)
    lens.register(server, probes, hover.register(server), actions.register(server, made))
    return server


def _address(text: str | None) -> tuple[str, int] | None:
    """HOST:PORT or PORT."""
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise UserError(f"an address is written HOST:PORT, not {text!r}")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The streams to the client. Whatever else is written to standard output goes to standard error: one line of it
    would end the session."""
    sys.stdout.flush()
    stdin = os.fdopen(os.dup(0), "rb")
    stdout = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return stdin, stdout
