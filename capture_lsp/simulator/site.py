"""What the simulator's server says: the page of each program, the index of the gallery, and answers to requests."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from capture_lsp.pages import page
from capture_lsp.simulator.asking import Asker
from capture_lsp.simulator.gallery import Exhibit
from capture_lsp.simulator.page_data import page_data
from capture_lsp.simulator.program import Program, Surveyed
from capture_lsp.simulator.turns import Turns
from capture_lsp.simulator.wanted import wanted

if TYPE_CHECKING:
    from runtime_probe.simulation import Request

#: Where the page finds its script and style sheet.
ASSETS = "assets/"


class NotThere(Exception):
    """No program of that name."""


class Changed(Exception):
    """The program is no longer the one that the page shows."""


class Site:
    """The programs that are served, by name; "" is the index, or the one program of the user's. Methods may be called
    from any thread; only one of them asks the probe at a time."""

    def __init__(self, asker: Asker, programs: Sequence[Program], exhibits: Sequence[Exhibit] = ()) -> None:
        self._asker = asker
        self._programs = {program.name: program for program in programs}
        self._exhibits = exhibits
        self._surveyed: dict[str, Surveyed] = {}
        self._turns = {program.name: Turns(_KEPT // max(1, len(programs))) for program in programs}
        self._asking = threading.Lock()

    def know(self, surveyed: Surveyed) -> None:
        """Take a survey that was made before."""
        self._surveyed[surveyed.program.name] = surveyed

    def page(self, name: str, token: str) -> str:
        """The page of a program; it is surveyed if it was not before, or is another one by now. Raises NotThere, and
        UserError where it cannot be surveyed."""
        if name == "" and "" not in self._programs:
            return self._index(token)
        program = self._program(name)
        with self._asking:
            surveyed = self._surveyed.get(name)
            if surveyed is None or surveyed.changed:
                self._turns[name].forget()
                surveyed = self._surveyed[name] = self._asker.survey(program)
        data = page_data(surveyed, [], True, self._exhibits)
        return page("simulator", data, inline=False, title=data["title"], prefix=ASSETS)

    def run(self, name: str, body: bytes) -> str:
        """The answer to a request, as JSON. Raises NotThere, BadRequest, Changed, turns.Superseded, and UserError
        where it could not be run."""
        self._program(name)
        surveyed = self._surveyed.get(name)
        if surveyed is None:
            raise Changed
        request = wanted(body, surveyed.survey["controls"])
        key = json.dumps([surveyed.files, request], sort_keys=True)
        return self._turns[name].answer(key, name, lambda: self._ran(surveyed, request))

    def settle(self, seconds: float) -> None:
        """Wait until nothing is asked any more, for so long at most."""
        if self._asking.acquire(timeout=seconds):
            self._asking.release()

    def _ran(self, surveyed: Surveyed, request: Request) -> str:
        with self._asking:
            if surveyed.changed:
                raise Changed
            (run,) = self._asker.runs(surveyed, [request])
            if surveyed.changed:  # while it ran: nobody knows which of the two it was
                raise Changed
        return json.dumps({"run": run}, allow_nan=False)

    def _program(self, name: str) -> Program:
        if name not in self._programs:
            raise NotThere
        return self._programs[name]

    def _index(self, token: str) -> str:
        rows = []
        for one in self._exhibits:
            link = "?" + urlencode({"token": token, "program": one.name})
            teaching = _CODE.sub(r"<code>\1</code>", html.escape(one.teaching))
            rows.append(f'<li><p><a href="{html.escape(link)}">{html.escape(one.title)}</a></p><p>{teaching}</p></li>')
        return _INDEX.replace("ROWS", "\n".join(rows)).replace("STYLE", f"{ASSETS}simulator.css")


#: Code in a text, after its escaping.
_CODE = re.compile(r"`([^`]*)`")
#: Characters of answers that are kept for all programs.
_KEPT = 64 << 20

_INDEX = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Capture gallery</title>
<link rel="stylesheet" href="STYLE">
</head>
<body>
<div id="app">
<h1>What captures lose and keep</h1>
<p>Each program is captured by the real compiler when you open it, with inputs that you choose.</p>
<ol>
ROWS
</ol>
</div>
</body>
</html>
"""
