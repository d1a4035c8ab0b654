"""Serves the simulator to the browser on this machine, and to nobody else.

It listens on the loopback address alone. Pages and requests need the token of this run, which no other page and no
other user can guess; the `Host` header must name this server, so that no name that leads here (DNS rebinding) gets an
answer.
Script and style are the only things served without the token.
"""

from __future__ import annotations

import contextlib
import hmac
import http.server
import json
import secrets
import socketserver
import sys
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

from capture_lsp.errors import UserError
from capture_lsp.pages import SERVED_POLICY, asset
from capture_lsp.probe.client import Cancelled
from capture_lsp.simulator.site import ASSETS, Changed, NotThere, Site
from capture_lsp.simulator.turns import Superseded
from capture_lsp.simulator.wanted import BadRequest

ADDRESS = "127.0.0.1"
TOKEN_HEADER = "X-Capture-Token"
#: A request of 48 calls is some 6 kB.
MOST_BODY = 64 << 10
#: Seconds for a client to send what it has to say.
PATIENCE = 20.0

_TYPES = {"simulator.js": "text/javascript; charset=utf-8", "simulator.css": "text/css; charset=utf-8"}
_HTML, _TEXT, _JSON = "text/html; charset=utf-8", "text/plain; charset=utf-8", "application/json"
_HEADERS = {
    "Content-Security-Policy": SERVED_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """The server of one site. `port` 0: one that is free."""

    daemon_threads = True
    request_queue_size = 64  # a browser with several windows connects more often than the default of 5
    allow_reuse_address = sys.platform != "win32"  # there, another program could take the port as well

    def __init__(self, site: Site, port: int = 0) -> None:
        self.site = site
        self.token = secrets.token_urlsafe(32)
        try:
            super().__init__((ADDRESS, port), _Handler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UserError(f"cannot listen on {ADDRESS}:{port}: {why}; --port names another port") from None
        port = self.server_address[1]
        self.hosts = frozenset({f"{ADDRESS}:{port}", f"localhost:{port}"})

    def server_bind(self) -> None:
        """Bind, without asking the network for this machine's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, self.server_address[1]

    def url(self, program: str = "") -> str:
        """The address of a page, with the token."""
        query = {"token": self.token, **({"program": program} if program else {})}
        return f"http://{ADDRESS}:{self.server_address[1]}/?{urlencode(query)}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error; others are told in short."""
        error = sys.exc_info()[1]
        if not isinstance(error, (ConnectionError, TimeoutError)):
            print(f"error: {type(error).__name__}: {error}", file=sys.stderr)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Server
    timeout = PATIENCE
    protocol_version = "HTTP/1.1"
    server_version = "capture-lsp"
    sys_version = ""

    def do_GET(self) -> None:
        if not self._host_is_ours():
            return
        parts = _split(self.path)
        if parts is None:
            self._say(HTTPStatus.BAD_REQUEST, "no address\n")
            return
        query = parse_qs(parts.query)
        name = parts.path.removeprefix("/" + ASSETS)
        if parts.path == "/" + ASSETS + name and name in _TYPES:
            self._guarded(lambda: (_TYPES[name], asset(name)))
        elif not self._may(query.get("token", [""])[0]):
            return
        elif parts.path == "/":
            program = query.get("program", [""])[0]
            self._guarded(lambda: (_HTML, self.server.site.page(program, self.server.token)))
        elif parts.path == "/api/run":
            self._say(HTTPStatus.METHOD_NOT_ALLOWED, "POST it\n", extra={"Allow": "POST"})
        else:
            self._say(HTTPStatus.NOT_FOUND, "not here\n")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if not self._host_is_ours() or not self._may(self.headers.get(TOKEN_HEADER, "")):
            return
        origin = self.headers.get("Origin")
        if origin is not None and getattr(_split(origin), "netloc", None) not in self.server.hosts:
            self._say(HTTPStatus.FORBIDDEN, "another page's request\n")
            return
        parts = _split(self.path)
        if parts is None or parts.path != "/api/run":
            self._say(HTTPStatus.NOT_FOUND, "not here\n")
            return
        body = self._body()
        if body is not None:
            self._run(parse_qs(parts.query).get("program", [""])[0], body)

    def _run(self, program: str, body: bytes) -> None:
        try:
            self._say(HTTPStatus.OK, self.server.site.run(program, body), _JSON)
        except BadRequest as error:
            self._failed(HTTPStatus.BAD_REQUEST, str(error))
        except NotThere:
            self._failed(HTTPStatus.NOT_FOUND, "no such program")
        except Superseded:
            self._failed(HTTPStatus.CONFLICT, "a newer request took its place", superseded=True)
        except Changed:
            self._failed(HTTPStatus.CONFLICT, "the file has changed: reload the page", changed=True)
        except Cancelled:
            self._failed(HTTPStatus.SERVICE_UNAVAILABLE, "the server is ending")
        except UserError as error:
            self._failed(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))

    def _failed(self, status: HTTPStatus, text: str, **more: bool) -> None:
        self._say(status, json.dumps({"error": text, **more}), _JSON)

    def _guarded(self, make: Any) -> None:
        try:
            kind, text = make()
        except NotThere:
            self._say(HTTPStatus.NOT_FOUND, "no such program\n")
        except Cancelled:
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, "the server is ending\n")
        except UserError as error:
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, f"error: {error}\n")
        else:
            self._say(HTTPStatus.OK, text, kind)

    # who may ask

    def _host_is_ours(self) -> bool:
        if self.headers.get("Host", "") in self.server.hosts and len(self.headers.get_all("Host") or ()) == 1:
            return True
        self._say(HTTPStatus.FORBIDDEN, "this server answers on its own address alone\n")
        return False

    def _may(self, token: str) -> bool:
        if hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            return True
        self._say(HTTPStatus.FORBIDDEN, "open the address that capture-lsp printed: its token is missing here\n")
        return False

    def _body(self) -> bytes | None:
        """What was sent; None, and an answer, where there is none or too much of it."""
        given = self.headers.get("Content-Length", "")
        if not given.isascii() or not given.isdigit() or self.headers.get("Transfer-Encoding"):
            self._say(HTTPStatus.LENGTH_REQUIRED, "Content-Length is missing\n")
            return None
        if len(given) > 9 or int(given) > MOST_BODY:
            self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too much\n")
            return None
        return self.rfile.read(int(given))

    # answers

    def _say(self, status: HTTPStatus, text: str, kind: str = _TEXT, extra: dict[str, str] | None = None) -> None:
        raw = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in {**_HEADERS, **(extra or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        if status != HTTPStatus.OK:  # what was not read of the request must not be taken for the next one
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class refuses: requests that it cannot read, and methods that are not here."""
        unknown = code == HTTPStatus.NOT_IMPLEMENTED
        with contextlib.suppress(AttributeError):
            self._say(HTTPStatus.METHOD_NOT_ALLOWED if unknown else HTTPStatus(code), f"{message or 'refused'}\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the token is in the address."""


def _split(address: str) -> SplitResult | None:
    """The parts of an address; None of what is none, as `http://[`."""
    try:
        return urlsplit(address)
    except ValueError:
        return None
