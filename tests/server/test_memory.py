"""What a long session keeps."""

from __future__ import annotations

import ast
import asyncio
import gc
from pathlib import Path

from lsprotocol import types

from analyzer.incremental.engine import SessionEngine
from capture_lsp.config.settings import Resolver
from capture_lsp.server.analysis import RUNS_REMEMBERED, IncrementalAnalyser
from capture_lsp.server.main import build
from capture_lsp.server.memory_cache import MOST_UNITS
from tests.cli.conftest import BRANCH


def test_the_trees_of_texts_that_are_gone_are_let_go(tmp_path: Path) -> None:
    analyser = IncrementalAnalyser()
    path = str(tmp_path / "m.py")
    settings = Resolver(str(tmp_path), {}).for_folder(str(tmp_path))
    text = BRANCH + "\n\ndef loop(x):\n    for _ in range(3):\n        x = x + 1\n    return fn(x)\n"

    def alive() -> int:
        gc.collect()
        return sum(isinstance(o, ast.Module) and len(o.body) == 3 for o in gc.get_objects())

    for number in range(3 * RUNS_REMEMBERED):
        results = analyser.analyse({path: f"{text}# {number}\n".encode()}, {path: settings})
        assert [f.code for f in results[path].findings] == ["CAP101"]
    assert alive() <= RUNS_REMEMBERED + 2
    assert len(analyser._cache._values) <= MOST_UNITS


def test_notifications_leave_nothing_behind() -> None:
    async def typed() -> int:
        server = build()
        told: list[types.DidChangeConfigurationParams] = []

        @server.feature("test/told")
        async def tell(params: types.DidChangeConfigurationParams) -> None:
            await asyncio.sleep(0)
            told.append(params)

        for _ in range(5):
            message = {"jsonrpc": "2.0", "method": "test/told", "params": {"settings": {}}}
            server.protocol.handle_message(server.protocol.structure_message(message))
            message = {"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "off"}}
            server.protocol.handle_message(server.protocol.structure_message(message))
        while len(told) < 5:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
        return len(server.protocol._request_futures)

    assert asyncio.run(typed()) == 0


def test_what_a_session_gave_up_makes_room_for_the_next(tmp_path: Path) -> None:
    analyser = IncrementalAnalyser()
    path = str(tmp_path / "m.py")
    settings = Resolver(str(tmp_path), {}).for_folder(str(tmp_path))
    for number in range(12):  # with each, the file is another one as a whole
        text = BRANCH + "# script\n" * (number % 2)
        analyser.analyse({path: text.encode()}, {path: settings})
    analyser.analyse({path: BRANCH.encode()}, {path: settings})
    assert sum(isinstance(o, SessionEngine) for o in gc.get_objects()) <= 2
