"""One path: the entry under Dynamo from nothing, with scripted answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch

from runtime_probe.dynamo.listen import Listener
from runtime_probe.job import Job, describe
from runtime_probe.paths import fakes, forked
from runtime_probe.paths.reads import answered
from runtime_probe.paths.script import Script, Step, Stopped, Taken
from runtime_probe.paths.sites import Place, Site, module_names
from runtime_probe.report import Break, Path
from runtime_probe.subject import Subject, reseed

#: Settings of the program's own `torch.compile` that change what Dynamo does.
_KEPT = ("dynamic",)
INCONCLUSIVE = " (inconclusive: values were forced)"


@dataclass
class Followed:
    """What one path did."""

    taken: List[Taken] = field(default_factory=list)
    breaks: List[Break] = field(default_factory=list)
    graphs: int = 0
    status: str = ""

    def report(self) -> Path:
        """The path in the report's form."""
        return {
            "decisions": [
                {"path": t.site.path, "line": t.site.line, "column": t.site.column, "value": repr(t.value)}
                for t in self.taken
            ],
            "status": self.status,
            "breaks": _distinct(self.breaks),
            "graphs": self.graphs,
        }


def _distinct(breaks: Sequence[Break]) -> List[Break]:
    found: Dict[Tuple[Any, ...], Break] = {}
    for one in breaks:
        found.setdefault((one["path"], one["line"], one["column"], one["graph_break"], one["reason"]), one)
    return list(found.values())


def follow(
    subject: Subject, job: Job, steps: Sequence[Step], visits: Optional[Dict[Place, int]], seconds: float
) -> Followed:
    """Follow the script to the end of the program, in a process of its own. `visits` None: the natural path, on which
    loops may take as long as they take."""
    messages, failure = forked.messages_of(lambda send: _run(subject, job, steps, visits, send), seconds)
    result = Followed()
    for message in messages:
        if "taken" in message:
            kind, site, *rest = message["taken"]
            result.taken.append(Taken(kind, Site(*site), *rest))
        elif "break" in message:
            result.breaks.append(message["break"])
        elif "graphs" in message:
            result.graphs = message["graphs"]
        elif "status" in message:
            result.status = message["status"]
    if failure is not None:
        result.status = "stopped: " + failure
    elif not result.status:
        result.status = "stopped: the program ended its process"
    if result.status.startswith("raised") and any(t.forced for t in result.taken):
        result.status += INCONCLUSIVE
    return result


def _run(
    subject: Subject, job: Job, steps: Sequence[Step], visits: Optional[Dict[Place, int]], send: forked.Send
) -> None:
    def heard_event(event: Dict[str, Any]) -> None:
        if event["event"] == "break":
            send({"break": event["break"]})
        elif event["event"] in ("graph", "withdrawn"):
            send({"graphs": listener.graphs})

    listener = Listener(heard_event)
    script = Script(steps, visits or {}, visits is not None, lambda taken: send({"taken": taken}))
    status = "ok"
    try:
        with fakes.tensors(bool(job.options.get("fake"))) as mode:
            instance = subject.fresh()
            args, kwargs = instance.arguments(0)
            torch._dynamo.reset()
            function = instance.function
            if not job.options.get("captures_itself"):
                kept = {name: instance.settings[name] for name in _KEPT if name in instance.settings}
                function = torch.compile(function, backend="eager", **kept)
            reseed(0)
            with listener, answered(script, module_names(instance.function), mode):
                function(*args, **kwargs)
    except Stopped as stop:
        status = f"stopped: {stop}"
    except BaseException as error:
        status = "raised " + describe(error, 200)
    send({"graphs": listener.graphs})
    send({"status": status})
