"""A small LSP client: it types into documents and notes when their diagnostics arrive.

Messages are plain dictionaries, so that the client costs little beside the server that it measures.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lsp_typing import Key

SECONDS = 120.0  #: that a server may take to answer, or to diagnose

#: Of a client that is pushed to: without `textDocument.diagnostic`, no server waits to be asked.
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True, "workspaceFolders": True, "didChangeConfiguration": {}},
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {
            "versionSupport": True,
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
    },
}


class LspError(Exception):
    """A server that ended or that answers with an error."""


class Server:
    """A language server in a process of its own, over its standard input and output."""

    def __init__(self, name: str, command: Sequence[str], root: Path, env: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.info: dict[str, Any] = {}  #: what it says of itself
        self.newest: dict[str, list[dict[str, Any]]] = {}  #: the newest diagnostics of a document
        self.published = 0
        self._command = command
        self._root = root
        self._env = dict(env)
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._arrived: dict[tuple[str, int], float] = {}
        self._news = asyncio.Condition()
        self._reading: asyncio.Task[None]

    @property
    def pid(self) -> int:
        return self._running.pid

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    async def start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        with self._log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, cwd=self._root, env=self._env, stdin=pipe, stdout=pipe, stderr=log, limit=1 << 24
            )
        self._reading = asyncio.create_task(self._read())
        root = self._root.as_uri()
        params = {
            "processId": None,
            "rootUri": root,
            "workspaceFolders": [{"uri": root, "name": self._root.name}],
            "capabilities": CAPABILITIES,
        }
        self.info = (await self.request("initialize", params)).get("serverInfo", {})
        self.notify("initialized", {})

    async def stop(self) -> int:
        """As an editor does; the exit status."""
        await self.request("shutdown", None)
        self.notify("exit", None)
        status = await asyncio.wait_for(self._running.wait(), SECONDS)
        await self._reading
        return status

    async def kill(self) -> None:
        """End a server that is still there."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, key: Key) -> float:
        """Press a key; when it was sent."""
        (line, column), (end_line, end_column) = key.start, key.end
        span = {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}
        now = time.perf_counter()
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": span, "text": key.text}]},
        )
        return now

    async def diagnosed(self, uri: str, version: int) -> float:
        """When the diagnostics of a version came, which may lie ahead."""

        async def wait() -> None:
            async with self._news:
                await self._news.wait_for(lambda: (uri, version) in self._arrived or self._reading.done())

        try:
            await asyncio.wait_for(wait(), SECONDS)
        except asyncio.TimeoutError:
            raise LspError(
                f"{self.name} says nothing of version {version} of {uri}; does its configuration exclude it?"
            ) from None
        if (uri, version) not in self._arrived:
            raise LspError(f"{self.name} ended; see {self._log}")
        return self._arrived[uri, version]

    async def request(self, method: str, params: Any) -> Any:
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._send({"id": number, "method": method, "params": params})
        return await asyncio.wait_for(answer, SECONDS)

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        stdin = self._running.stdin
        assert stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _read(self) -> None:
        try:
            await self._messages()
        finally:
            async with self._news:
                self._news.notify_all()
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(LspError(f"{self.name} ended; see {self._log}"))

    async def _messages(self) -> None:
        stream = self._running.stdout
        assert stream is not None
        length = 0
        while header := await stream.readline():
            name, _, value = header.decode("ascii").partition(":")
            if name.lower() == "content-length":
                length = int(value)
            elif not header.strip():
                body = await stream.readexactly(length)
                await self._take(json.loads(body), time.perf_counter())

    async def _take(self, message: dict[str, Any], now: float) -> None:
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published += 1
            self.newest[params["uri"]] = params["diagnostics"]
            async with self._news:
                self._arrived.setdefault((params["uri"], params.get("version") or 0), now)
                self._news.notify_all()
        elif method is None:
            answer = self._answers.pop(message["id"])
            if "error" in message:
                answer.set_exception(LspError(f"{self.name}: {message['error']['message']}"))
            else:
                answer.set_result(message.get("result"))
        elif "id" in message:  # a request of the server's: it has no settings from us, and may do what it asks for
            asked = message.get("params") or {}
            result = [None for _ in asked["items"]] if method == "workspace/configuration" else None
            self._send({"id": message["id"], "result": result})
