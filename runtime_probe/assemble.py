"""From events to the report of one entry. Needs no torch: it also runs where the probed process has died."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, cast

from runtime_probe.report import Entry, Frame, Verdict
from runtime_probe.simulation import Run, SimulatedEntry, Simulation

#: Parts that are frontends: each has a row in the matrix.
FRONTENDS = ("dynamo", "fullgraph", "trace", "fx", "script", "export")


def empty(entry: Optional[str], inputs: List[str]) -> Entry:
    """An entry of which nothing is known yet."""
    return {
        "target": "",
        "entry": entry or "",
        "inputs": list(inputs),
        "synthesised": False,
        "status": "ok",
        "message": "",
        "frames": [],
        "recompiles": [],
        "symbols": [],
        "matrix": {},
        "paths": [],
        "timing": None,
        "settings": None,
        "kernels": None,
        "graph_costs": None,
        "cudagraphs": None,
        "kernel_errors": [],
        "evaluated": {},
        "traced": [],
        "sizes": [],
        "loops": [],
        "output": "",
    }


def verdict(outcome: str, message: str) -> Verdict:
    """A frontend's row without a place."""
    return {
        "outcome": outcome,
        "message": message,
        "path": None,
        "line": None,
        "counterexample": None,
        "perturbed": [],
    }


class Assembler:
    """Collects the events of one entry. `running`: the part that began last and has not ended; `ended`: those that
    did; `began`: all that were started."""

    def __init__(self, entry: Optional[str], inputs: List[str]) -> None:
        self.entry = empty(entry, inputs)
        self.running: Optional[str] = None
        self.running_pid = 0
        self.began: List[str] = []
        self.ended: List[str] = []
        self._frames: Dict[str, Frame] = {}
        self._perturbed: Dict[str, List[Any]] = {}
        self._runs: Dict[int, Run] = {}

    def take(self, event: Dict[str, Any]) -> None:
        """Add one event; unknown ones are left out."""
        take = getattr(self, "_on_" + str(event.get("event")), None)
        if take is not None:
            take(event)

    def failed(self, status: Any, message: str) -> None:
        """The entry as a whole could not be probed to its end; the first reason stays."""
        if self.entry["status"] == "ok":
            self.entry["status"] = status
            self.entry["message"] = message

    def part_failed(self, name: str, status: str, message: str) -> None:
        """One part did not end by itself. A frontend of which nothing is known gets the outcome `unknown`; a probe
        that did not even see Dynamo's run to its end has failed."""
        if name in FRONTENDS and name not in self.entry["matrix"]:
            self.entry["matrix"][name] = verdict("unknown", message)
        elif name not in FRONTENDS and not self.entry["message"]:
            self.entry["message"] = f"{name}: {message}"
        if name == "dynamo":
            self.failed(status, message)

    def result(self) -> Entry:
        """The entry as far as it is known."""
        for frontend, found in self._perturbed.items():
            row = self.entry["matrix"].setdefault(frontend, verdict("unknown", "not run on the given inputs"))
            row["perturbed"] = found
        return self.entry

    # events

    def _on_entry(self, event: Dict[str, Any]) -> None:
        self.entry["entry"] = event["entry"]
        self.entry["inputs"] = list(event["inputs"])
        self.entry["synthesised"] = bool(event.get("synthesised"))
        if event.get("note"):
            self.entry["message"] = event["note"]

    def _on_part(self, event: Dict[str, Any]) -> None:
        self.running, self.running_pid = event["name"], event["pid"]
        self.began.append(event["name"])
        if event["name"] == "simulate":
            self._simulation()

    def _simulation(self) -> Simulation:
        """What the part `simulate` found: the key is only there where that part ran."""
        entry = cast(SimulatedEntry, self.entry)
        return entry.setdefault("simulation", {"survey": None, "runs": []})

    def _on_survey(self, event: Dict[str, Any]) -> None:
        self._simulation()["survey"] = event["survey"]

    def _on_run(self, event: Dict[str, Any]) -> None:
        self._runs[event["number"]] = event["run"]
        self._simulation()["runs"] = [run for _, run in sorted(self._runs.items())]

    def _on_done(self, event: Dict[str, Any]) -> None:
        self.ended.append(event["name"])
        self.running = None

    def _on_failed(self, event: Dict[str, Any]) -> None:
        name = event.get("name")
        if name is None:
            self.failed("failed", event["message"])
            return
        self.ended.append(name)
        self.running = None
        self.part_failed(name, "failed", event["message"])

    def _on_crashed(self, event: Dict[str, Any]) -> None:
        self.ended.append(event["name"])
        self.running = None
        self.part_failed(event["name"], "killed", event["message"])

    def _on_note(self, event: Dict[str, Any]) -> None:
        self.entry["message"] = "; ".join(filter(None, [self.entry["message"], event["message"]]))

    def _on_frame(self, event: Dict[str, Any]) -> None:
        frame: Frame = {
            "function": event["function"],
            "path": event["path"],
            "line": event["line"],
            "compile_id": event["compile_id"],
            "skipped": False,
            "skip_reason": None,
            "breaks": [],
            "graphs": [],
            "guards": [],
            "bytecode": None,
        }
        self._frames[event["key"]] = frame
        self.entry["frames"].append(frame)

    def _frame(self, event: Dict[str, Any]) -> Frame:
        if event["key"] not in self._frames:
            found = event.get("break") or {}
            self._on_frame(
                {
                    "key": event["key"],
                    "function": "",
                    "path": found.get("path", ""),
                    "line": found.get("line", 0),
                    "compile_id": None,
                }
            )
        return self._frames[event["key"]]

    def _on_break(self, event: Dict[str, Any]) -> None:
        self._frame(event)["breaks"].append(event["break"])

    def _on_graph(self, event: Dict[str, Any]) -> None:
        self._frame(event)["graphs"].append(event["graph"])

    def _on_withdrawn(self, event: Dict[str, Any]) -> None:
        frame = self._frame(event)
        frame["graphs"] = [graph for graph in frame["graphs"] if graph["id"] != event["graph"]]

    def _on_guards(self, event: Dict[str, Any]) -> None:
        self._frame(event)["guards"] = event["guards"]

    def _on_bytecode(self, event: Dict[str, Any]) -> None:
        self._frame(event)["bytecode"] = event["bytecode"]

    def _on_skipped(self, event: Dict[str, Any]) -> None:
        frame = self._frame(event)
        frame["skipped"] = frame["skipped"] or not event["harmless"]
        frame["skip_reason"] = frame["skip_reason"] or event["reason"]

    def _on_recompile(self, event: Dict[str, Any]) -> None:
        self.entry["recompiles"].append(event["recompile"])

    def _on_symbols(self, event: Dict[str, Any]) -> None:
        known = {(s["name"], s["source"]): s for s in self.entry["symbols"]}
        known.update({(s["name"], s["source"]): s for s in event["symbols"]})
        self.entry["symbols"] = list(known.values())

    def _on_evaluated(self, event: Dict[str, Any]) -> None:
        spans = self.entry["evaluated"].setdefault(event["path"], [])
        known = {tuple(span) for span in spans}
        spans += [span for span in event["spans"] if tuple(span) not in known]

    def _on_traced(self, event: Dict[str, Any]) -> None:
        self.entry["traced"] += [f for f in event["functions"] if f not in self.entry["traced"]]

    def _on_sizes(self, event: Dict[str, Any]) -> None:
        self.entry["sizes"] += [one for one in event["sizes"] if one not in self.entry["sizes"]]

    def _on_loops(self, event: Dict[str, Any]) -> None:
        self.entry["loops"] += [one for one in event["loops"] if one not in self.entry["loops"]]

    def _on_verdict(self, event: Dict[str, Any]) -> None:
        self.entry["matrix"][event["frontend"]] = event["verdict"]

    def _on_perturbed(self, event: Dict[str, Any]) -> None:
        self._perturbed.setdefault(event["frontend"], []).append(event["perturbed"])

    def _on_path(self, event: Dict[str, Any]) -> None:
        self.entry["paths"].append(event["path"])

    def _on_timing(self, event: Dict[str, Any]) -> None:
        self.entry["timing"] = event["timing"]  # the last one: it is told again as more of it is known

    def _on_settings(self, event: Dict[str, Any]) -> None:
        self.entry["settings"] = event["settings"]

    def _on_kernels(self, event: Dict[str, Any]) -> None:
        self.entry["kernels"] = event["kernels"]
        self.entry["graph_costs"] = event["summary"]
        self.entry["cudagraphs"] = event["cudagraphs"]

    def _on_kernel_errors(self, event: Dict[str, Any]) -> None:
        self.entry["kernel_errors"] += [one for one in event["errors"] if one not in self.entry["kernel_errors"]]
