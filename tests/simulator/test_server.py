"""Who gets an answer from the simulator's server, and what a stranger gets. Nothing here starts a probe."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from capture_lsp.errors import UserError
from capture_lsp.pages import ASSETS
from capture_lsp.probe.client import Client
from capture_lsp.probe.targets import Work
from capture_lsp.simulator.asking import Asker
from capture_lsp.simulator.gallery import exhibits
from capture_lsp.simulator.program import Surveyed, hashes, of_exhibit
from capture_lsp.simulator.server import MOST_BODY, TOKEN_HEADER, Server
from capture_lsp.simulator.site import Site

from .made import CONTROLS, SURVEY

BUILT = (ASSETS / "simulator.js").exists()
built = pytest.mark.skipif(not BUILT, reason="no built pages here (make pages)")
NAME = "data_dependent_branch"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    programs = [of_exhibit(one) for one in exhibits()]
    site = Site(Asker(Client(sys.executable, "nowhere"), Work(), lambda path: ()), programs, exhibits())
    first = programs[0]
    site.know(Surveyed(first, first.target, SURVEY, CONTROLS, "2.13.0", hashes([first.target.path])))
    made = Server(site)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def ask(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
        reply = connection.getresponse()
        return reply.status, dict(reply.getheaders()), reply.read().decode()
    finally:
        connection.close()


def run(server: Server, request: Any, **headers: str) -> tuple[int, Any]:
    body = request if isinstance(request, bytes) else json.dumps({"request": request}).encode()
    status, _, text = ask(
        server, "POST", f"/api/run?program={NAME}", body, **{TOKEN_HEADER.replace("-", "_"): server.token, **headers}
    )
    return status, json.loads(text) if text.startswith("{") else text


def with_token(server: Server, path: str = "/") -> str:
    return f"{path}{'&' if '?' in path else '?'}token={server.token}"


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"
    assert len(server.token) >= 40


def test_the_index_and_its_links_are_for_the_token(server: Server) -> None:
    status, headers, text = ask(server, "GET", with_token(server))
    assert status == 200
    assert text.count("<li>") == len(exhibits())
    assert f"token={server.token}&amp;program=early_exit" in text
    assert "<script" not in text
    assert " style=" not in text
    assert headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=abc", "/?token=%00", "/?token=%ff", "/api/run", "/other"])
def test_without_the_token_there_is_nothing(server: Server, path: str) -> None:
    status, _, text = ask(server, "GET", path)
    assert status == 403
    assert "token" in text
    assert server.token not in text


def test_requests_need_the_token_in_the_header(server: Server) -> None:
    for headers in ({}, {"X_Capture_Token": "wrong"}, {"X_Capture_Token": server.token[:-1]}):
        assert ask(server, "POST", with_token(server, "/api/run"), b"{}", **headers)[0] == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "0.0.0.0", ""])
def test_other_names_of_this_machine_get_no_answer(server: Server, host: str) -> None:
    for path in (with_token(server), "/assets/simulator.js"):
        status, _, text = ask(server, "GET", path, Host=host)
        assert (status, server.token in text) == (403, False)
    assert run(server, {}, Host=host)[0] == 403


def test_two_host_headers_get_no_answer(server: Server) -> None:
    host = f"127.0.0.1:{server.server_address[1]}"
    lines = f"GET {with_token(server)} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=20) as connection:
        connection.sendall(lines.encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 403")


def test_another_page_cannot_send_requests(server: Server) -> None:
    port = server.server_address[1]
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{port + 1}"):
        assert run(server, {}, Origin=origin)[0] == 403
    assert run(server, {}, Origin=f"http://127.0.0.1:{port}")[0] == 400


def test_what_is_no_address_is_refused(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    host = f"Host: 127.0.0.1:{server.server_address[1]}"
    for lines, status in (
        (f"GET http://[/ HTTP/1.1\r\n{host}", 400),
        (f"POST http://[/ HTTP/1.1\r\n{host}\r\nX-Capture-Token: {server.token}\r\nContent-Length: 0", 404),
    ):
        with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=20) as connection:
            connection.sendall(f"{lines}\r\n\r\n".encode())
            assert connection.recv(100).startswith(f"HTTP/1.1 {status} ".encode())
    assert run(server, {}, Origin="http://[")[0] == 403
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"])
def test_other_methods(server: Server, method: str) -> None:
    assert ask(server, method, with_token(server))[0] == 405


def test_a_request_is_posted(server: Server) -> None:
    status, headers, _ = ask(server, "GET", with_token(server, "/api/run"))
    assert (status, headers["Allow"]) == (405, "POST")
    assert ask(server, "POST", "/", b"{}", X_Capture_Token=server.token)[0] == 404


@pytest.mark.parametrize(
    "path",
    ["/assets/../server.py", "/assets/%2e%2e/__init__.py", "/assets//etc/passwd", "/assets/", "/assets/report.js",
     "/../../etc/passwd", "/index.html", "//evil.example/", "/assets/simulator.js/..", "/api/run/.."],
)  # fmt: skip
def test_only_what_is_named_is_served(server: Server, path: str) -> None:
    assert ask(server, "GET", path)[0] == 403
    assert ask(server, "GET", with_token(server, path))[0] == 404


@built
def test_script_and_style_need_no_token(server: Server) -> None:
    for name, kind in (("simulator.js", "text/javascript"), ("simulator.css", "text/css")):
        status, headers, text = ask(server, "GET", f"/assets/{name}")
        assert (status, headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")
        assert text == (ASSETS / name).read_text(encoding="utf-8")


@built
def test_a_program_that_is_known_is_shown(server: Server) -> None:
    status, _, text = ask(server, "GET", with_token(server, f"/?program={NAME}"))
    assert status == 200
    assert '"live":true' in text
    assert 'src="assets/simulator.js"' in text
    assert server.token not in text
    assert ask(server, "GET", with_token(server, "/?program=none"))[0] == 404


def test_every_answer_has_the_headers_of_security(server: Server) -> None:
    answers = [
        ask(server, "GET", with_token(server)),
        ask(server, "HEAD", with_token(server)),
        ask(server, "GET", "/"),
        ask(server, "PUT", "/"),
        ask(server, "GET", "/", Host="evil.example"),
    ]
    for _, headers, _ in answers:
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in headers
        assert "Python" not in headers.get("Server", "")
    assert answers[1][2] == ""


def combination(**more: Any) -> dict[str, Any]:
    return {"inputs": 0, "sizes": [2], "numbers": [1], "dtype": 0, "mode": 0, **more}


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"no JSON",
        b"[]",
        b"[" * 5000,
        b'{"request": 1}',
        {"frontend": "jax", "calls": [combination()]},
        {"frontend": ["trace"], "calls": [combination()]},
        {"frontend": "trace", "calls": []},
        {"frontend": "trace", "calls": [combination()] * 49},
        {"frontend": "trace", "calls": [combination(inputs=2)]},
        {"frontend": "trace", "calls": [combination(inputs=-1)]},
        {"frontend": "trace", "calls": [combination(inputs=True)]},
        {"frontend": "trace", "calls": [combination(inputs="0; import os")]},
        {"frontend": "trace", "calls": [combination(sizes=[])]},
        {"frontend": "trace", "calls": [combination(sizes=[0, 0])]},
        {"frontend": "trace", "calls": [combination(numbers=[9])]},
        {"frontend": "trace", "calls": [combination(mode=2)]},
        {"frontend": "trace", "calls": [combination(dtype=1.0)]},
        {"frontend": "trace", "calls": ["x"]},
    ],
)
def test_what_is_no_choice_of_the_controls_is_not_run(server: Server, request_: Any) -> None:
    status, answer = run(server, request_)
    assert status == 400
    assert answer["error"]


def test_bodies_are_bounded(server: Server) -> None:
    assert run(server, b"x" * (MOST_BODY + 1))[0] == 413
    for headers in ({"Content_Length": "9" * 30}, {"Content_Length": "-1"}, {"Content_Length": "1e3"}):
        assert run(server, b"x", **headers)[0] in (411, 413)
    assert run(server, b"x", Transfer_Encoding="chunked")[0] == 411


def test_an_unknown_program_has_no_runs(server: Server) -> None:
    status, _, text = ask(server, "POST", "/api/run?program=none", b"{}", X_Capture_Token=server.token)
    assert (status, json.loads(text)["error"]) == (404, "no such program")


def test_a_port_that_is_taken(server: Server) -> None:
    with pytest.raises(UserError, match="--port names another"):
        Server(server.site, server.server_address[1])
