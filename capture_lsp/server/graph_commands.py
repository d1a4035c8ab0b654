"""Commands that show what a function's newest probe saw: the graphs, as a table and as code, the guards, and what was
measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from lsprotocol import types

from capture_lsp.server import answers, shown_cost, shown_graph
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probing import Probing
from capture_lsp.server.verdicts import Probed

SHOW_GRAPH = "capture-lsp.showGraph"
SHOW_GRAPH_CODE = "capture-lsp.showGraphCode"
SHOW_GUARDS = "capture-lsp.showGuards"
SHOW_COST = "capture-lsp.showCost"
#: A command of the client's: [uri, qualified name, part] shows a part of its view.
OPEN_VIEW = "capture-lsp.openView"
Part = Literal["graph", "guards", "frontends", "times"]

_Render = Callable[[str, Probed, bool], str]


def register(server: CaptureServer, probing: Probing) -> None:
    """Add the commands."""

    async def show(arguments: tuple[Any, ...], render: _Render, file: str) -> str | None:
        uri, name = (*map(str, arguments), "", "")[:2]
        probed = probing.verdicts.of(f"{server.session.path_of(uri)}::{name}", probing.plain)
        if probed is None:
            server.tell(f"{name or 'this'} was not probed yet", "info")
            return None
        text = render(name, probed, probed.fresh(probing.plain))
        await answers.show(server, file, text)
        return text

    @server.command(SHOW_GRAPH)
    async def show_graph(ls: CaptureServer, *arguments: Any) -> str | None:
        """[uri, qualified name, "code" for the code form]: shows the graphs; the text is also the answer."""
        if "code" in arguments[2:3]:
            return await show(arguments, shown_graph.code, "graph.py")
        return await show(arguments, shown_graph.graphs, "graph.txt")

    @server.command(SHOW_GRAPH_CODE)
    async def show_code(ls: CaptureServer, *arguments: Any) -> str | None:
        """[uri, qualified name]: shows the graphs as code; it is also the answer."""
        return await show(arguments, shown_graph.code, "graph.py")

    @server.command(SHOW_GUARDS)
    async def show_guards(ls: CaptureServer, *arguments: Any) -> str | None:
        """[uri, qualified name]: shows the guards; the text is also the answer."""
        return await show(arguments, shown_graph.guards, "guards.txt")

    @server.command(SHOW_COST)
    async def show_cost(ls: CaptureServer, *arguments: Any) -> str | None:
        """[uri, qualified name]: shows what was measured, and the kernels; the text is also the answer."""
        return await show(arguments, shown_graph.costs, "cost.txt")


def commands(uri: str, name: str, probed: Probed, capture_view: bool) -> list[types.Command]:
    """What there is to show of a probe: as documents, or in the client's own view."""
    if capture_view:
        return [types.Command(part.capitalize(), OPEN_VIEW, arguments=[uri, name, part]) for part in parts(probed)]
    found = []
    if shown_graph.has_graphs(probed):
        found.append(types.Command("Show graph", SHOW_GRAPH, arguments=[uri, name]))
    if shown_graph.has_guards(probed):
        found.append(types.Command("Show guards", SHOW_GUARDS, arguments=[uri, name]))
    if shown_cost.has_cost(probed.evidence.entry):
        found.append(types.Command("Show times", SHOW_COST, arguments=[uri, name]))
    return found


def parts(probed: Probed) -> list[Part]:
    """The parts of a client's view that there is something to show in."""
    found: list[Part] = []
    if shown_graph.has_graphs(probed):
        found.append("graph")
    if shown_graph.has_guards(probed):
        found.append("guards")
    if set(probed.evidence.entry["matrix"]) - {"dynamo"}:  # of that alone the figures tell
        found.append("frontends")
    if shown_cost.has_cost(probed.evidence.entry):
        found.append("times")
    return found
