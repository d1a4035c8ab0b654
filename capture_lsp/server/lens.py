"""Code lenses over what is captured, and the hovers of the same places."""

from __future__ import annotations

from lsprotocol import types

from analyzer.finding import Finding, RootPlace
from analyzer.outcome import BAD, DYNAMO_FAMILY
from capture_lsp.formats.style import counted
from capture_lsp.merge_probe import refuted
from capture_lsp.probe.functions import functions_of, innermost
from capture_lsp.reading import is_notebook
from capture_lsp.server import convert, hover, markdown
from capture_lsp.server.actions import More
from capture_lsp.server.documents import Document
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probing import COMPARE, NO_NOTEBOOKS, PROBE, REPORT, Probing, refuted_in
from capture_lsp.server.session import Analysed
from capture_lsp.server.shown_probe import figures, of_function, of_line, of_refuted


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
        if server.supports("workspace.diagnostics.refresh_support"):
            server.workspace_diagnostic_refresh(None)

    def at_place(uri: str, analysed: Analysed, line: int, column: int) -> tuple[str, types.Range] | None:
        parts = []
        path = analysed.result.path
        functions = functions_of(analysed.text.plain) or []
        root = next((r for r in roots_of(analysed) if r.line == line), None)
        if root is not None:
            parts.append(_root(probing, analysed, root))
        elif (function := innermost(functions, line)) is not None:
            probed = probing.verdicts.of(f"{path}::{function.name}")
            if probed is not None and probed.fresh(probing.plain):
                if line == function.line and (gone := refuted_in(analysed, function.name)):
                    parts.append(of_refuted(gone, probed))
                then = probed.line_then(path, analysed.text.plain, line)
                if then is not None and (text := of_line(probed, path, then)):
                    parts.append(text)
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

    session.changed.append(refresh)
    hovers.append(at_place)
    actions.findings.append(confirm)
    actions.ranges.append(without_lenses)


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
    probed = probing.verdicts.of(root.label)
    if probed is None:
        found = [types.Command(predicted(analysed, root), "")]
    else:
        stale = "" if probed.fresh(probing.plain) else " (stale)"
        found = [types.Command(figures(probed.evidence.entry) + stale, REPORT, arguments=[uri])]
    if _offers_probes(probing, analysed.result.path):
        again = "Probe" if probed is None else "Probe again"
        found.append(types.Command(again, PROBE, arguments=[uri, name]))
        found.append(types.Command("Compare frontends", COMPARE, arguments=[uri, name]))
    return found


def predicted(analysed: Analysed, root: RootPlace) -> str:
    """What the analyzer says of a root."""
    own = [f for f in analysed.result.findings if root.label in f.roots and not refuted(f)]
    outcomes = [f.outcomes[name] for f in own for name in f.outcomes if name in root.frontends]
    if set(root.frontends) & DYNAMO_FAMILY:
        if "skipped_frame" in outcomes:
            return "runs eagerly (predicted)"
        breaks = sum(any(f.outcomes.get(n) == "graph_break" for n in root.frontends) for f in own)
        if breaks:
            return f"{counted(breaks, 'break')} · {counted(breaks + 1, 'graph')} (predicted)"
    bad = sum(any(f.outcomes.get(n) in BAD for n in root.frontends) for f in own)
    return f"{counted(bad, 'problem')} (predicted)" if bad else "captured whole (predicted)"


def _root(probing: Probing, analysed: Analysed, root: RootPlace) -> str:
    name = root.label.partition("::")[2]
    probed = probing.verdicts.of(root.label)
    if probed is not None:
        return of_function(name, probed, probed.fresh(probing.plain), refuted_in(analysed, name))
    by = "captured by " if root.captured else "judged by "
    text = f"**{markdown.plain(name)}** · {by}{', '.join(root.frontends)} · {predicted(analysed, root)}"
    if not probing.session.trusted:
        offer = "This workspace is not trusted."
    elif is_notebook(analysed.result.path):
        offer = NO_NOTEBOOKS
    else:
        offer = "Probe it (code lens) to see graphs and guards."
    return f"{text}\n\n{offer}"


def _offers_probes(probing: Probing, path: str) -> bool:
    return probing.session.trusted and not is_notebook(path)
