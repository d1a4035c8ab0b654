"""Code actions: quick fixes, all safe fixes, suppressions, and the rule's page. From what is known already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types

from analyzer.finding import Edit, Finding
from analyzer.suppress import ABOUT_SUPPRESSIONS
from capture_lsp.merge_probe import refuted
from capture_lsp.server import configuring, convert, edits, fix_all
from capture_lsp.server.client_settings import plain
from capture_lsp.server.commands import OPEN_RULE
from capture_lsp.server.diagnostics import Diagnostics
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.session import Analysed

FIX_ALL = "source.fixAll.capture"
FIX_ALL_COMMAND = "capture-lsp.fixAll"
_ALL = "Apply all safe fixes for graph capture"

#: More actions for a finding: (uri, finding) → title and command of each.
OnFinding = Callable[[str, Finding], "list[tuple[str, types.Command]]"]
#: More actions for a range, whether there is a finding or not.
OnRange = Callable[[str, Analysed, types.Range], "list[tuple[str, types.Command]]"]


@dataclass
class More:
    """What offers more actions."""

    findings: list[OnFinding] = field(default_factory=list)
    ranges: list[OnRange] = field(default_factory=list)


def register(server: CaptureServer, diagnostics: Diagnostics) -> More:
    """Add the handlers; the answer takes what offers more."""
    more = More()
    options = types.CodeActionOptions([types.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_actions(ls: CaptureServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        analysed = await ls.session.at_hand(uri)
        if analysed is None:
            return []
        only = params.context.only
        found: list[types.CodeAction] = []
        known: configuring.Known = {}
        if _wanted(types.CodeActionKind.QuickFix, only):
            for finding in analysed.result.findings:
                here = convert.overlaps(convert.range_of(analysed.text, finding), params.range)
                if here and analysed.text.owner(finding.line, uri) == uri and not refuted(finding):
                    found += _for_finding(ls, uri, analysed, finding, diagnostics, known)
                    found += [_command(title, command) for add in more.findings for title, command in add(uri, finding)]
            for offer in more.ranges:
                found += [_command(title, command) for title, command in offer(uri, analysed, params.range)]
        if _wanted(FIX_ALL, only):
            found += await _fix_all(ls, uri, analysed, asked=only is not None)
        return found

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(ls: CaptureServer, action: types.CodeAction) -> types.CodeAction:
        data = plain(action.data)
        if not isinstance(data, dict) or action.edit is not None:
            return action
        analysed = await ls.session.at_hand(str(data.get("uri")))
        if analysed is not None and analysed.version == data.get("version"):
            if "all" in data:
                action.edit = await fix_all.fixed(ls, str(data["uri"]))
            elif "configure" in data:
                action.edit = _configured(ls, analysed, data)
            elif wanted := _edits(analysed, data):
                action.edit = edits.workspace_edit(ls, wanted)
        return action

    @server.command(FIX_ALL_COMMAND)
    async def apply(ls: CaptureServer, *arguments: Any) -> dict[str, object]:
        """[uri]: applies all safe fixes of a document."""
        uri = str(arguments[0]) if arguments else ""
        edit = await fix_all.fixed(ls, uri)
        if edit is None:
            reason = fix_all.why_nothing(ls, uri)
            ls.tell(reason, "info")
            return {"applied": False, "reason": reason}
        done = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, _ALL))
        if done.applied:
            return {"applied": True}
        return {"applied": False, "reason": done.failure_reason or "the editor did not take the edit"}

    return more


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(kind == str(w) or kind.startswith(f"{_text(w)}.") or kind == _text(w) for w in only)


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))


def _for_finding(
    ls: CaptureServer,
    uri: str,
    analysed: Analysed,
    finding: Finding,
    diagnostics: Diagnostics,
    known: configuring.Known,
) -> list[types.CodeAction]:
    diagnostic = diagnostics.of_finding(analysed.text, finding)
    found = []
    preferred = next((n for n, fix in enumerate(finding.fixes) if fix.safety == "safe"), None)
    for number, fix in enumerate(finding.fixes):
        title = fix.title[:1].upper() + fix.title[1:] + ("" if fix.safety == "safe" else " (unsafe)")
        data = {"fix": number, "key": list(finding.key)}
        action = _edit_action(ls, uri, analysed, title, data, list(fix.edits), diagnostic)
        action.is_preferred = number == preferred or None
        found.append(action)
    if finding.code not in ABOUT_SUPPRESSIONS:
        for number, (where, edit) in enumerate(edits.suppressions(analysed, finding)):
            data = {"suppress": number, "key": list(finding.key)}
            title = f"Suppress {finding.code} {where}"
            found.append(_edit_action(ls, uri, analysed, title, data, [edit], diagnostic))
        found += _in_configuration(ls, uri, analysed, finding, diagnostic, known)
    title = f"Open the page of {finding.code} ({finding.name})"
    found.append(_command(title, types.Command(title, OPEN_RULE, arguments=[finding.code]), diagnostic))
    return found


def _edit_action(
    ls: CaptureServer,
    uri: str,
    analysed: Analysed,
    title: str,
    data: dict[str, Any],
    wanted: list[Edit],
    diagnostic: types.Diagnostic | None = None,
) -> types.CodeAction:
    """With its edit, unless the client asks for that when the user has chosen."""
    diagnostics = [diagnostic] if diagnostic is not None else None
    action = types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=diagnostics)
    if _lazy(ls):
        action.data = {"uri": uri, "version": analysed.version, **data}
    else:
        action.edit = edits.workspace_edit(ls, wanted)
    return action


def _in_configuration(
    ls: CaptureServer,
    uri: str,
    analysed: Analysed,
    finding: Finding,
    diagnostic: types.Diagnostic,
    known: configuring.Known,
) -> list[types.CodeAction]:
    found = []
    for place in configuring.places(ls, finding, known):
        action = types.CodeAction(place.title, kind=types.CodeActionKind.QuickFix, diagnostics=[diagnostic])
        if _lazy(ls):
            about = {"configure": place.title, "key": list(finding.key)}
            action.data = {"uri": uri, "version": analysed.version, **about}
        else:
            action.edit = configuring.edit(ls, place, finding.code)
        if action.data is not None or action.edit is not None:
            found.append(action)
    return found


def _configured(ls: CaptureServer, analysed: Analysed, data: dict[str, Any]) -> types.WorkspaceEdit | None:
    finding = next((f for f in analysed.result.findings if list(f.key) == data.get("key")), None)
    for place in configuring.places(ls, finding, {}) if finding is not None else ():
        if place.title == data["configure"] and finding is not None:
            return configuring.edit(ls, place, finding.code)
    return None


def _lazy(ls: CaptureServer) -> bool:
    return "edit" in (ls.capability("text_document.code_action.resolve_support.properties") or ())


def _command(title: str, command: types.Command, diagnostic: types.Diagnostic | None = None) -> types.CodeAction:
    diagnostics = [diagnostic] if diagnostic is not None else None
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, command=command, diagnostics=diagnostics)


async def _fix_all(ls: CaptureServer, uri: str, analysed: Analysed, asked: bool) -> list[types.CodeAction]:
    """Offered where there is a safe fix, and the whole parses. `asked`: the client asked for this kind, on saving
    perhaps; one that wants edits at once, and asks for whatever there is, gets a command: the fixes take their time."""
    findings = [f for f in analysed.result.findings if not refuted(f)]
    if fix_all.broken(analysed):
        return []
    if not any(fix.safety == "safe" for finding in findings for fix in finding.fixes):
        return []
    action = types.CodeAction(_ALL, kind=FIX_ALL)
    if _lazy(ls):
        action.data = {"uri": uri, "version": analysed.version, "all": True}
    elif asked:
        action.edit = await fix_all.fixed(ls, uri)
    else:
        action.command = types.Command(_ALL, FIX_ALL_COMMAND, arguments=[uri])
    return [action]


def _edits(analysed: Analysed, data: dict[str, Any]) -> list[Edit]:
    """The edits of the action that the client was told of with this data."""
    finding = next((f for f in analysed.result.findings if list(f.key) == data.get("key")), None)
    if finding is None:
        return []
    if "fix" in data:
        return list(finding.fixes[data["fix"]].edits)
    return [edits.suppressions(analysed, finding)[data["suppress"]][1]]
