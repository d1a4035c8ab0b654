"""Commands that run the user's code under the real compiler, and what becomes of their answers.

Nothing here happens without the user's word, and nothing in a workspace that is not trusted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Any

from analyzer.api import may_capture
from analyzer.finding import Finding, RootPlace
from analyzer.outcome import BAD
from capture_lsp import __version__
from capture_lsp.errors import UserError
from capture_lsp.formats.probe import render
from capture_lsp.formats.probe.figures import figures
from capture_lsp.formats.probe.words import breaks_of, compared
from capture_lsp.formats.style import Style
from capture_lsp.interpreter import find_environment
from capture_lsp.merge_probe import REFUTED, Scope, uses_dynamo
from capture_lsp.paths import inside
from capture_lsp.probe.client import Cancelled
from capture_lsp.probe.evidence import Evidence, Files
from capture_lsp.probe.fixes import by_target
from capture_lsp.probe.measuring import Measuring
from capture_lsp.reading import is_notebook
from capture_lsp.server import answers
from capture_lsp.server.documents import Document, text_of_file
from capture_lsp.server.kept import keep
from capture_lsp.server.language_server import CaptureServer
from capture_lsp.server.probe_runner import Answer, Asked, Runner
from capture_lsp.server.progress import Progress
from capture_lsp.server.session import Analysed
from capture_lsp.server.verdicts import Verdicts, probed_entry

PROBE = "capture-lsp.probe"
COMPARE = "capture-lsp.compareFrontends"
MEASURE = "capture-lsp.measure"
REPORT = "capture-lsp.showReport"
CLEAR = "capture-lsp.clearResults"
RESTART_PROBE = "capture-lsp.restartProbe"
DOCTOR = "capture-lsp.doctor"
ALL_FRONTENDS = ("fullgraph", "trace", "fx", "script", "export")
NO_NOTEBOOKS = "notebooks cannot be probed: export it as a script"
_NOT_TRUSTED = "this workspace is not trusted: nothing of it is run"


class Probing:
    """What was probed, and how more is."""

    def __init__(self, server: CaptureServer) -> None:
        self.server = server
        self.session = server.session
        self.verdicts = Verdicts()
        self.runner = Runner()
        self.reports: dict[str, Answer] = {}  #: the newest answer for each file
        self.began: list[Callable[[str], None]] = []  #: told of each probe by its title
        self.ended: list[Callable[[str, str, str], None]] = []  #: title, torch, and why it could not run
        self._untold: set[str] = set()
        self._python: dict[str, str | None] = {}  #: the setting `python` with which a file was probed

    def changed(self) -> None:
        """Have every open document told anew, now that other verdicts hold."""
        self._untold = {document.uri for document in self.session.documents}
        self.session.schedule()

    def forget_former(self) -> None:
        """Forget what was probed with another interpreter than that which is set now."""
        former = [path for path, python in self._python.items() if self._python_of(path) != python]
        if former:
            for path in former:
                del self._python[path]
                self.reports.pop(path, None)
            self.verdicts = self.verdicts.without(former)
            self.changed()

    def _python_of(self, path: str) -> str | None:
        try:
            return self.session.settings_of(path).python
        except UserError:  # a configuration that is being written
            return self._python.get(path)

    def told(self, uri: str) -> bool:
        """Whether a document's new result is the first since the verdicts changed; asked once for each result."""
        if uri in self._untold:
            self._untold.discard(uri)
            return True
        return False

    async def probe(
        self, uri: str, name: str | None, frontends: Sequence[str] = (), measure: bool = False
    ) -> dict[str, Any]:
        """Probe a root of a file by its qualified name, or all that it has. The answer is for the client's own use.
        `measure`: under torch.compile alone, with what it costs.

        Raises UserError with a text for the user.
        """
        session = self.session
        if not session.trusted:
            raise UserError(_NOT_TRUSTED)
        path = session.path_of(uri)
        if is_notebook(path):
            raise UserError(NO_NOTEBOOKS)
        saved = text_of_file(path, session.documents.encoding)
        if saved is None:
            raise UserError("only a file on disk can be probed")
        document = session.documents.get(uri)
        if document is not None and document.text.plain != saved.plain:
            raise UserError("the file has changes that are not saved: the probe runs what is on disk")
        analysed = await session.settled(uri, complete=measure)
        if analysed is None:
            raise UserError("the file must be open to be probed")
        roots = [root for root in analysed.result.roots if _path(root.label) == path]
        if name is not None and not any(_name(root.label) == name for root in roots):
            roots.append(RootPlace(f"{path}::{name}", 1, ("dynamo",), False))
        chosen = [root for root in roots if name in (None, _name(root.label))]
        findings = self._findings()
        asked = self._asked(path, chosen, findings, saved.plain, frontends, name)
        if name is not None:
            asked.only = [name, name.removesuffix(".forward")]
        if measure:
            asked.frontends, asked.perturb = (), False
            asked.only = None if name is None else asked.only
            budget = session.own_number(path, "probe.budget")
            asked.measuring = Measuring(budget=budget, gpu=session.own_text(path, "probe.gpu"))
            asked.fixes = by_target([path], findings, self.plain)[path]
        files = Files({path, *(f.path for f in findings), *self._open()}, self.plain)
        title = f"{'Measuring' if measure else 'Probing'} {name or os.path.basename(path)}"
        async with Progress(self.server, title) as progress:
            asked.told, asked.stop = progress.tell, progress.stop
            answer = await self._run(title, asked, files)
            if answer is None:
                return {"status": "cancelled"}
            self._accept(path, answer, findings, files, chosen, name is None)
            self._python[path] = asked.settings.python
            self.forget_former()  # the setting may have changed meanwhile
            progress.outcome = _in_words(answer, [root.label for root in chosen] if name is not None else [])
        for note in answer.notes:
            self.server.tell(note, "warning")
        return self._summary(answer)

    async def _run(self, title: str, asked: Asked, files: Files) -> Answer | None:
        """The answer; None where the user cancelled. Listeners are told."""
        torch, problem = "", ""
        for began in self.began:
            began(title)
        try:
            answer = await asyncio.wrap_future(self.runner.probe(asked, files))
            torch = answer.about[0]
            if answer.notes and not answer.evidences:
                problem = f"{answer.notes[0]} (Show report has all)"
            return answer
        except Cancelled:
            return None
        except UserError as error:
            problem = str(error)
            raise
        finally:
            for ended in self.ended:
                ended(title, torch, problem)

    def _asked(
        self,
        path: str,
        roots: Sequence[RootPlace],
        findings: Sequence[Finding],
        text: str,
        frontends: Sequence[str],
        name: str | None,
    ) -> Asked:
        labels = [root.label for root in roots]
        about = [f for f in findings if set(f.roots) & set(labels) or (f.path == path and name in (None, f.function))]
        waiting = [frontend for finding in about for frontend, o in finding.outcomes.items() if o in BAD]
        used = {frontend for root in roots for frontend in root.frontends}
        wanted = frontends or [name for name in dict.fromkeys(waiting) if name in used]
        return Asked(
            path=path,
            settings=self.session.settings_of(path),
            cwd=self.session.folder_of(path).path,
            labels=labels,
            own=may_capture(text),
            frontends=wanted,
            perturb=bool(frontends) or any(f.outcomes.get("dynamo") == "recompiles" for f in about),
            only=None if frontends else _waiting(about),
        )

    def _accept(
        self,
        path: str,
        answer: Answer,
        findings: Sequence[Finding],
        files: Files,
        roots: Sequence[RootPlace],
        all_: bool,
    ) -> None:
        probed = [probed_entry(e, self.plain, self._inside, answer.about) for e in answer.evidences]
        for one in probed:
            if (former := self.verdicts.former(one, self.plain)) is not None:
                keep(one, former)
        if not all_:  # of the others it knows less than an earlier probe may have found
            probed = [
                p for p in probed if any(p.about(r.label) for r in roots) or not self.verdicts.holds(p, self.plain)
            ]
        judged = [_judges_dynamo(one.evidence, roots) for one in probed]
        self.verdicts = self.verdicts.after(probed, findings, files, Scope(judged))
        self.reports[path] = answer
        self.changed()

    def _open(self) -> list[str]:
        return [document.path for document in self.session.documents]

    def _findings(self) -> list[Finding]:
        """Those of the open files as the analyzer sees them, without what earlier probes said."""
        return [finding for analysed in self.session.analysed.values() for finding in analysed.raw.findings]

    def plain(self, path: str) -> str | None:
        text = self.session.text_of(path)
        return text.plain if text is not None else None

    def _inside(self, path: str) -> bool:
        """Whether a file is the user's own to edit."""
        if self.session.documents.at(path) is not None:
            return True
        return any(inside(path, f.path) for f in self.session.folders) and "site-packages" not in path

    @staticmethod
    def _summary(answer: Answer) -> dict[str, Any]:
        entries = [evidence.entry for evidence in answer.evidences]
        return {
            "status": "ok" if answer.evidences else "failed",
            "entries": len(entries),
            "breaks": sum(len(breaks_of(entry)) for entry in entries),
            "notes": answer.notes,
        }

    def report(self, path: str) -> str | None:
        """The whole report of the newest probe of a file, as the command line prints it."""
        answer = self.reports.get(path)
        if answer is None:
            return None
        cwd = self.session.folder_of(path).path
        return "\n".join(render(report, "full", cwd, Style()) for report in answer.reports)

    async def doctor(self) -> str:
        """What there is to run with, and whether it works."""
        session = self.session
        lines = [f"capture-lsp {__version__}"]
        for folder in [folder.path for folder in session.folders] or [session.cwd]:
            lines.append(f"\n{folder}")
            try:
                settings = session.settings_of(os.path.join(folder, "x.py"))
            except UserError as error:
                lines.append(f"  settings: {error}")
                continue
            found = find_environment(settings.base, settings.python)
            lines.append(f"  interpreter: {found.python or 'none'} ({found.origin or 'not found'})")
            torch = ".".join(map(str, found.torch)) if found.torch else "none found: the probe is off"
            lines.append(f"  torch, from its metadata: {torch}")
            if not session.trusted:
                lines.append(f"  probe: off: {_NOT_TRUSTED}")
                continue
            try:
                said = await asyncio.wrap_future(self.runner.hello(settings, folder))
            except (UserError, Cancelled) as error:
                said = f"does not work: {error}"
            lines.append(f"  probe: {said}")
        return "\n".join(lines)


def register(server: CaptureServer) -> Probing:
    """Add the commands."""
    probing = Probing(server)
    server.session.finish = lambda: probing.verdicts.finish
    server.session.configured.append(probing.forget_former)
    server.ending.append(probing.runner.stop)

    async def run(uri: Any, name: Any, frontends: Sequence[str] = (), measure: bool = False) -> dict[str, Any]:
        try:
            return await probing.probe(str(uri), str(name) if name else None, frontends, measure)
        except UserError as error:
            server.tell(str(error), "warning")
            return {"status": "failed", "notes": [str(error)]}

    def saved(document: Document) -> None:
        session = server.session
        if session.trusted and session.own(document.path, "probe.on-save") and document.python:
            answers.background(server, run(document.uri, None))

    server.saved.append(saved)

    @server.command(PROBE)
    async def probe(ls: CaptureServer, *arguments: Any) -> Any:
        """[uri, qualified name]: probes a root, or all of a file; answers with a summary."""
        uri, name = (*arguments, None, None)[:2]
        return await answers.long(ls, run(uri, name))

    @server.command(COMPARE)
    async def compare(ls: CaptureServer, *arguments: Any) -> Any:
        """[uri, qualified name]: probes under every frontend."""
        uri, name = (*arguments, None, None)[:2]
        return await answers.long(ls, run(uri, name, ALL_FRONTENDS))

    @server.command(MEASURE)
    async def measure(ls: CaptureServer, *arguments: Any) -> Any:
        """[uri, qualified name]: probes and measures: times, what each break costs, generated kernels."""
        uri, name = (*arguments, None, None)[:2]
        return await answers.long(ls, run(uri, name, measure=True))

    @server.command(REPORT)
    async def show_report(ls: CaptureServer, *arguments: Any) -> str | None:
        """[uri]: shows the report of its newest probe; it is also the answer."""
        path = ls.session.path_of(str(arguments[0])) if arguments else ""
        text = probing.report(path)
        if text is None:
            ls.tell("nothing was probed here yet", "info")
        else:
            await answers.show(ls, "probe-report.txt", text)
        return text

    @server.command(CLEAR)
    def clear(ls: CaptureServer, *arguments: Any) -> None:
        """Forget what every probe said."""
        probing.verdicts = Verdicts()
        probing.reports.clear()
        probing.changed()

    @server.command(RESTART_PROBE)
    async def restart(ls: CaptureServer, *arguments: Any) -> None:
        """End the user's interpreters; the next probe starts one."""
        await asyncio.wrap_future(probing.runner.restart())

    @server.command(DOCTOR)
    async def doctor(ls: CaptureServer, *arguments: Any) -> Any:
        """Shows what there is to run with, and whether it works; the text is also the answer."""

        async def told() -> str:
            text = await probing.doctor()
            await answers.show(ls, "doctor.txt", text)
            return text

        return await answers.long(ls, told())

    return probing


def _in_words(answer: Answer, labels: Sequence[str]) -> str:
    """What was seen of the functions asked for, of all where none is: first what a comparison says."""
    asked = [e for e in answer.evidences if any(e.label == label or e.begins_with(label) for label in labels)]
    if not answer.evidences:
        return "nothing was seen"
    if asked:
        return "; ".join(dict.fromkeys(" · ".join(filter(None, [compared(e.entry), figures(e.entry)])) for e in asked))
    entries = [evidence.entry for evidence in answer.evidences]
    return "; ".join(f"{entry['entry']}: {figures(entry)}" if entry["entry"] else figures(entry) for entry in entries)


def _waiting(findings: Sequence[Finding]) -> list[str]:
    """The functions with a finding of which other frontends or other inputs tell something."""
    names = [
        _name(root)
        for finding in findings
        if any(o in BAD and f != "dynamo" or o == "recompiles" for f, o in finding.outcomes.items())
        for root in finding.roots
    ]
    return list(dict.fromkeys([*names, *(name.removesuffix(".forward") for name in names)]))


def _path(label: str) -> str:
    return label.partition("::")[0]


def _name(label: str) -> str:
    return label.partition("::")[2]


def _judges_dynamo(evidence: Evidence, roots: Sequence[RootPlace]) -> bool:
    """Whether torch.compile is in use for what was probed."""
    used = [root.frontends for root in roots if evidence.entered(root.label)]
    return not used or any(uses_dynamo(frontends) for frontends in used)


def refuted_in(analysed: Analysed, function: str) -> list[Finding]:
    """The findings of a function that its probe refuted."""
    return [f for f in analysed.result.findings if f.function == function and REFUTED in f.status.values()]
