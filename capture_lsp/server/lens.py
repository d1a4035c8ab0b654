"""Code lenses over what is captured, and the hovers of the same places."""

from __future__ import annotations

import json
from urllib.parse import quote

from lsprotocol import types

from analyzer.finding import Finding, RootPlace
from capture_lsp.formats.probe.figures import figures
from capture_lsp.probe.functions import Function, functions_of, innermost
from capture_lsp.reading import is_notebook
from capture_lsp.server import convert, graph_commands, hover, markdown
from capture_lsp.server.actions import More
from capture_lsp.server.documents import Document
from capture_lsp.server.graph_commands import OPEN_VIEW, SHOW_COST, SHOW_GRAPH_CODE
from capture_lsp.server.islands import breaking, islands
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.lines import statement
from capture_lsp.server.prediction import doubts, foreseen, predicted
from capture_lsp.server.probing import COMPARE, MEASURE, NO_NOTEBOOKS, PROBE, REPORT, Probing, refuted_in
from capture_lsp.server.session import Analysed
from capture_lsp.server.shown_cost import has_cost
from capture_lsp.server.shown_graph import has_graphs
from capture_lsp.server.shown_probe import of_function, of_lines, of_refuted
from capture_lsp.server.verdicts import Probed


def register(server: CaptureServer, probing: Probing, hovers: list[hover.Source], actions: More) -> None:
    """Add the handlers."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(ls: CaptureServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        analysed = await session.settled(uri)
        if analysed is None or not session.own_of(uri, "code-lens"):
            return []
        found = []
        for root in _roots_in(uri, analysed):
            for command in _commands(probing, uri, analysed, root):
                found.append(types.CodeLens(_line(analysed, root.line), command))
        return found

    def refresh(document: Document) -> None:
        if not probing.told(document.uri):
            return
        if server.supports("workspace.code_lens.refresh_support"):
            server.workspace_code_lens_refresh(None)

    def at_place(uri: str, analysed: Analysed, line: int, column: int) -> tuple[str, types.Range] | None:
        parts = []
        path = analysed.result.path
        functions = functions_of(analysed.text.plain) or []
        root = next((r for r in roots_of(analysed) if r.line == line), None)
        if root is not None:
            parts.append(_root(probing, uri, analysed, root))
        elif (function := innermost(functions, line)) is not None:
            probed = probing.verdicts.of(f"{path}::{function.name}", probing.plain)
            if probed is not None and probed.fresh(probing.plain):
                if line == function.line and (gone := refuted_in(analysed, function.name)):
                    parts.append(of_refuted(gone, probed))
                if text := _statement(probed, analysed, function, line):
                    parts.append(text)
        if root is None:
            for captured, place in _captured_at(probing, path, line, column):
                parts.append(_root(probing, uri, analysed, captured))
                return "\n\n".join(parts), convert.span(analysed.text, *place)
        return ("\n\n".join(parts), _line(analysed, line)) if parts else None

    def confirm(uri: str, finding: Finding) -> list[tuple[str, types.Command]]:
        root = next((r for r in finding.roots if r.partition("::")[0] == finding.path), None)
        if root is None or not _offers_probes(probing, finding.path):
            return []
        title = f"Probe {root.partition('::')[2]} to confirm {finding.code}"
        return [(title, types.Command(title, PROBE, arguments=[uri, root.partition("::")[2]]))]

    def without_lenses(uri: str, analysed: Analysed, where: types.Range) -> list[tuple[str, types.Command]]:
        """For a client that does not say that it shows lenses: what they would do."""
        if server.capability("text_document.code_lens") is not None:
            return []
        return [
            (f"{command.title}: {root.label.partition('::')[2]}", command)
            for root in _roots_in(uri, analysed)
            if convert.overlaps(_line(analysed, root.line), where)
            for command in _commands(probing, uri, analysed, root)
            if command.command
        ]

    def code_form(uri: str, analysed: Analysed, where: types.Range) -> list[tuple[str, types.Command]]:
        """The graphs of a probed function as code; the table is a lens."""
        found = []
        for root in _roots_in(uri, analysed):
            probed = probing.verdicts.of(root.label, probing.plain)
            if probed is not None and has_graphs(probed) and convert.overlaps(_line(analysed, root.line), where):
                name = root.label.partition("::")[2]
                title = f"Show the graph of {name} as code"
                found.append((title, types.Command(title, SHOW_GRAPH_CODE, arguments=[uri, name])))
        return found

    session.changed.append(refresh)
    hovers.append(at_place)
    actions.findings.append(confirm)
    actions.ranges += [without_lenses, code_form]


def roots_of(analysed: Analysed) -> list[RootPlace]:
    """The roots that stand in the file itself."""
    return [r for r in analysed.result.roots if r.label.partition("::")[0] == analysed.result.path]


def _roots_in(uri: str, analysed: Analysed) -> list[RootPlace]:
    """Those of a document: of a notebook's cell, the cell's own."""
    return [r for r in roots_of(analysed) if analysed.text.owner(r.line, uri) == uri]


def _line(analysed: Analysed, line: int) -> types.Range:
    row = analysed.text.plain.split("\n")[line - 1] if line <= len(analysed.text.starts) else ""
    return convert.span(analysed.text, line, len(row) - len(row.lstrip()) + 1, line, len(row) + 1)


def _commands(probing: Probing, uri: str, analysed: Analysed, root: RootPlace) -> list[types.Command]:
    name = root.label.partition("::")[2]
    probed = probing.verdicts.of(root.label, probing.plain)
    if probed is None:
        found = [types.Command(predicted(analysed.result, root), "")]
    else:
        stale = "" if probed.fresh(probing.plain) else " (stale)"
        found = [types.Command(figures(probed.evidence.entry) + stale, REPORT, arguments=[uri])]
    if _offers_probes(probing, analysed.result.path):
        again = "Probe" if probed is None else "Probe again"
        found.append(types.Command(again, PROBE, arguments=[uri, name]))
        found.append(types.Command("Compare frontends", COMPARE, arguments=[uri, name]))
        if probed is not None:
            measured = "Measure" if probed.evidence.entry["timing"] is None else "Measure again"
            found.append(types.Command(measured, MEASURE, arguments=[uri, name]))
    if probed is not None:
        found += graph_commands.commands(uri, name, probed, probing.session.capture_view)
    return found


def _captured_at(
    probing: Probing, path: str, line: int, column: int
) -> list[tuple[RootPlace, tuple[int, int, int, int]]]:
    """What the capture call at a place captures, with the call's range; the function may be of another open file."""
    found: dict[str, tuple[RootPlace, tuple[int, int, int, int]]] = {}
    for analysed in probing.session.analysed.values():
        for root in analysed.result.roots:
            for where, *place in root.calls:
                first, start, last, end = place
                if where == path and (first, start) <= (line, column) <= (last, end):
                    found.setdefault(root.label, (root, (first, start, last, end)))
    return list(found.values())[:1]


def _statement(probed: Probed, analysed: Analysed, function: Function, line: int) -> str:
    """What the statement at a line made."""
    path = analysed.result.path
    moved = probed.moved(path, analysed.text.plain)
    if moved is None:
        return ""
    lines = {then for now in statement(function, line) if (then := moved.line_then(now)) is not None}
    return of_lines(probed, path, lines)


def _islands(analysed: Analysed, root: RootPlace) -> str:
    """Which lines go into which graph, as far as that is foreseen."""
    path, _, name = root.label.partition("::")
    function = next((f for f in functions_of(analysed.text.plain) or [] if f.name == name), None)
    own = foreseen(analysed.result)
    if function is None or path != analysed.result.path or "dynamo" not in root.frontends:
        return ""
    if any(root.label in f.roots and f.outcomes.get("dynamo") == "skipped_frame" for f in own):
        return ""
    breaks = breaking(own, root.label, root.frontends)
    if not breaks and (doubt := doubts(analysed.result, function)):
        return doubt
    rows = [
        [
            str(island.number),
            str(island.first) if island.first == island.last else f"{island.first}-{island.last}",
            markdown.plain(island.until.message) if island.until is not None else "",
        ]
        for island in islands(function, root.label, breaks)
    ]
    return "\n".join(markdown.table(("graph (predicted)", "lines", "ends with"), rows)) if rows else ""


def _root(probing: Probing, uri: str, near: Analysed, root: RootPlace) -> str:
    """A captured function; `near`: the document that it is asked in, which may be another's."""
    path, _, name = root.label.partition("::")
    analysed = probing.session.current(probing.session.uri_of(path)) or near
    probed = probing.verdicts.of(root.label, probing.plain)
    if probed is not None:
        shown = of_function(name, probed, probed.fresh(probing.plain), refuted_in(analysed, name))
        if probing.session.command_links and (links := _links(probing, probing.session.uri_of(path), name, probed)):
            shown += f"\n\n{' · '.join(links)}"
        return shown
    by = "captured by " if root.captured else "judged by "
    text = f"**{markdown.plain(name)}** · {by}{', '.join(root.frontends)} · {predicted(analysed.result, root)}"
    if not probing.session.trusted:
        offer = "This workspace is not trusted."
    elif is_notebook(analysed.result.path):
        offer = NO_NOTEBOOKS
    else:
        probe = "Probe it (code lens)"
        if probing.session.command_links:
            probe = _command_link("Probe it", PROBE, probing.session.uri_of(path), name)
        offer = f"{probe} to see graphs and guards."
    return "\n\n".join(filter(None, [text, _islands(analysed, root), offer]))


def _links(probing: Probing, uri: str, name: str, probed: Probed) -> list[str]:
    """To what there is to show of a probe."""
    if probing.session.capture_view:
        parts = graph_commands.parts(probed)
        return [_command_link(part.capitalize(), OPEN_VIEW, uri, name, part) for part in parts]
    links = [_command_link("The graphs as code", SHOW_GRAPH_CODE, uri, name)] if has_graphs(probed) else []
    return (
        [*links, _command_link("Times and kernels", SHOW_COST, uri, name)] if has_cost(probed.evidence.entry) else links
    )


def _command_link(title: str, command: str, *arguments: str) -> str:
    return markdown.link(title, f"command:{command}?{quote(json.dumps(arguments), safe='')}")


def _offers_probes(probing: Probing, path: str) -> bool:
    return probing.session.trusted and not is_notebook(path)
