"""One run of the probe: targets in, the report out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from capture_lsp.probe import entries
from capture_lsp.probe.client import Hello, Progress, Reply
from capture_lsp.probe.targets import Target, Work, request

if TYPE_CHECKING:
    from runtime_probe.report import Entry, Error, Report

#: Told of the work: the number of a target, the part that begins there, "" when it is done, and of which entry it is.
Told = Callable[[int, str, str], None]

#: The message of a file that ran and captured nothing.
NOTHING = "nothing is captured here: name what to probe as FILE::NAME"


class Executor(Protocol):
    """What answers requests: a `client.Client`, or several somewhere else."""

    def start(self) -> Hello: ...

    def run(self, requests: Sequence[dict[str, Any]], progress: Progress | None = None) -> Iterator[Reply]: ...


class Kept(Protocol):
    """Results of earlier runs."""

    def get(self, target: Target, hello: Hello) -> list[Entry] | None: ...

    def put(self, target: Target, hello: Hello, entries: list[Entry]) -> None: ...


def run(
    client: Executor,
    targets: Sequence[Target],
    work: Work,
    search_paths: Mapping[str, tuple[str, ...]] | None = None,
    told: Told | None = None,
    kept: Kept | None = None,
) -> Report:
    """Probe targets, in the order given. `search_paths`: more import roots, by path of the target's file; `kept`: asked
    before a target is probed, and told what came of it.

    Raises client.Unavailable where the probe cannot run at all; what goes wrong with one target is told in its entry.
    """
    errors: list[Error] = []
    found: dict[int, list[Entry]] = {}
    asked: list[int] = []
    for number, target in enumerate(targets):
        problem = unreadable(target.path)
        if problem is None:
            asked.append(number)
        else:
            errors.append({"path": target.path, "line": 1, "kind": "unreadable", "message": problem})
            _tell(told, number, "")
    if not asked:
        return _report(Hello("", "", "", "full", 0), errors, [])
    hello = client.start()
    if kept is not None:
        for number in asked:
            known = kept.get(targets[number], hello)
            if known is not None:
                found[number] = [entries.complete(entry) for entry in known]
                _tell(told, number, "")
        asked = [number for number in asked if number not in found]
    requests = [request(targets[n], work, (search_paths or {}).get(targets[n].path, ())) for n in asked]

    def progress(number: int, part: str, entry: str) -> None:
        _tell(told, asked[number], part, entry)

    for reply in client.run(requests, progress) if requests else ():
        number = asked[reply.number]
        target = targets[number]
        if reply.died:
            found[number] = [entries.failed(target, reply.died, "killed")]
        else:
            found[number] = reply.entries or [entries.failed(target, NOTHING)]
        for entry in found[number]:
            entry["target"] = target.text
        if kept is not None and not reply.died:
            kept.put(target, hello, found[number])
        _tell(told, number, "")
    return _report(hello, errors, [entry for number in sorted(found) for entry in found[number]])


def _report(hello: Hello, errors: list[Error], found: list[Entry]) -> Report:
    return {
        "version": 1,
        "torch": hello.torch,
        "python": hello.python,
        "device": hello.device,
        "support": hello.support,
        "blind": list(hello.blind),
        "errors": errors,
        "entries": found,
    }


def _tell(told: Told | None, number: int, part: str, entry: str = "") -> None:
    if told is not None:
        told(number, part, entry)


def unreadable(path: str) -> str | None:
    """Why a file cannot be probed, if that is plain."""
    if not os.path.exists(path):
        return "no such file"
    if not os.path.isfile(path):
        return "not a file"
    if path.endswith(".ipynb"):
        return "notebooks cannot be probed: export it as a script"
    return None
