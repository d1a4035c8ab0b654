"""For people: per entry its inputs, frames, breaks, graphs, guards, recompiles, the matrix and the other paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.outcome import Severity
from capture_lsp.formats.excerpt import Range, Sources, excerpt
from capture_lsp.formats.full import graph_break_link
from capture_lsp.formats.probe import cost, kernels
from capture_lsp.formats.probe.concise import error_line
from capture_lsp.formats.probe.table import table
from capture_lsp.formats.probe.words import (
    MATRIX,
    breaks_of,
    frontend_name,
    function_name,
    is_bad,
    on_a_value,
    outcome_words,
    place,
    short,
    with_other_inputs,
)
from capture_lsp.formats.style import Style, counted, printable
from capture_lsp.paths import display

if TYPE_CHECKING:
    from runtime_probe.report import Break, Counterexample, Entry, Frame, Graph, Report

#: The JSON format has all of them.
_MOST_NODES = 60
_MOST_GUARDS = 20
_MOST_PATHS = 32
_MOST_PERTURBED = 8
_OUTPUT_LINES = 8


def render(report: Report, cwd: str, style: Style) -> str:
    """Every entry, then what could not be probed and the closing line."""
    support = "" if report["support"] == "full" else f" · of this torch the probe sees: {report['support']}"
    if not report["torch"]:  # nothing had to be started
        errors = [error_line(error, cwd, style) for error in report["errors"]]
        return "\n".join([*errors, "", summary(report, style)]) + "\n"
    head = f"torch {report['torch']} · Python {report['python']} · {report['device']}{support}"
    lines = [style.paint(style.plain(head), "dim")]
    if report["blind"]:
        lines.append(style.paint(style.plain(f"not seen with this torch: {', '.join(report['blind'])}"), "yellow"))
    writer = _Writer(cwd, style)
    for entry in report["entries"]:
        lines += ["", *writer.entry(entry)]
    if report["errors"]:
        lines += ["", *(error_line(error, cwd, style) for error in report["errors"])]
    lines += ["", summary(report, style)]
    return "\n".join(lines) + "\n"


def summary(report: Report, style: Style) -> str:
    """The closing line."""
    entries = report["entries"]
    breaks = sum(len(breaks_of(entry)) for entry in entries)
    failed = len(report["errors"]) + sum(entry["status"] != "ok" for entry in entries)
    parts = []
    if breaks:
        parts.append(counted(breaks, "graph break"))
    elif not failed and all(_seen(entry) for entry in entries):  # what was not seen to its end may break yet
        parts.append(style.paint("No graph break", "green"))
    recompiled = sum(len(entry["recompiles"]) for entry in entries)
    if recompiled:
        parts.append(counted(recompiled, "recompilation"))
    targets = len(entries) + len(report["errors"])
    parts.append(f"{counted(targets, 'target')} probed" if not failed else f"{targets - failed} of {targets} probed")
    return ", ".join(parts) + "."


def _seen(entry: Entry) -> bool:
    return entry["matrix"].get("dynamo", {"outcome": "captured"})["outcome"] != "unknown"


class _Writer:
    def __init__(self, cwd: str, style: Style) -> None:
        self._cwd = cwd
        self._style = style
        self._sources = Sources({})

    def _plain(self, text: str) -> str:
        return "\n".join(self._style.plain(printable(row)) for row in text.split("\n"))

    def _title(self, text: str) -> str:
        return self._style.paint(self._plain(text), "bold")

    def entry(self, entry: Entry) -> list[str]:
        name = entry["target"]
        if entry["entry"] and not name.endswith("::" + entry["entry"]):
            name = f"{name}::{entry['entry']}" if "::" not in name else f"{name} ({entry['entry']})"
        lines = [f"{self._title(name)}{'' if entry['status'] == 'ok' else '  ' + self._status(entry['status'])}"]
        if entry["message"]:
            lines.append("   " + self._plain(entry["message"]))
        made_up = "  (made up by the probe: give others with --inputs)" if entry["synthesised"] else ""
        for number, inputs in enumerate(entry["inputs"]):
            label = "inputs" if number == 0 else "then  "
            lines.append(f"   {label}  {self._plain(inputs)}{made_up if number == 0 else ''}")
        seen: set[tuple[str, int, str]] = set()
        for frame in entry["frames"]:
            key = (frame["path"], frame["line"], frame["function"])
            lines += self._frame(frame, again=key in seen)
            seen.add(key)
        lines += self._recompiles(entry)
        lines += self._symbols(entry)
        lines += self._matrix(entry)
        lines += self._paths(entry)
        lines += self._costs(entry)
        return lines + self._output(entry["output"])

    def _status(self, status: str) -> str:
        return self._style.paint(status, "red")

    # frames

    def _frame(self, frame: Frame, again: bool) -> list[str]:
        """`again`: it was compiled before; what is the same is not told twice."""
        style = self._style
        if frame["skipped"]:
            state = style.paint("runs eagerly", "red")
        elif not frame["graphs"] and not frame["breaks"]:
            return []
        else:
            state = f"{counted(len(frame['graphs']), 'graph')}"
            if frame["breaks"]:
                state += style.plain(" · ") + style.paint(counted(len(frame["breaks"]), "break"), "yellow")
            state += style.plain(f" · {counted(len(frame['guards']), 'guard')}")
        where = place(frame["path"], frame["line"], self._cwd)
        anew = "  compiled again" if again else ""
        lines = ["", f"   {self._title(function_name(frame['function']))}  {where}{anew}  {state}"]
        if again:
            return lines[1:]
        if frame["skipped"] and frame["skip_reason"]:
            lines.append("   " + self._plain(short(frame["skip_reason"])))
        for found in frame["breaks"]:
            lines += self._break(found, "error" if frame["skipped"] else "warning")
        for graph in frame["graphs"]:
            lines += self._graph(graph)
        return lines + self._guards(frame) + self._bytecode(frame)

    def _bytecode(self, frame: Frame) -> list[str]:
        found = frame["bytecode"]
        if found is None:
            return []
        lines = []
        for name, text in (("bytecode", found["before"]), ("compiled to", found["after"])):
            if text:
                lines.append(f"   {self._style.paint(name, 'cyan')}")
                lines += ["      " + self._plain(row) for row in text.rstrip().splitlines()]
        return lines

    def _break(self, found: Break, severity: Severity) -> list[str]:
        style = self._style
        at = place(found["path"], found["line"], self._cwd, found["column"]) or "at an unknown place"
        identifier = found["graph_break"]
        linked = f"  {graph_break_link(identifier, style)}" if identifier else ""
        lines = [f"   {style.paint(at, 'bold')}  {style.severity('graph break', severity)}{linked}"]
        kind, _, explained = found["reason"].partition(": ")
        if found["path"]:
            marked = Range(found["line"], found["column"], found["end_line"], found["end_column"])
            note = kind if len(kind) <= 60 else ""
            lines += excerpt(self._sources.lines(found["path"]), marked, style, severity, note)
            lines.append("   " + self._plain(explained if note and explained else found["reason"]))
        else:
            lines.append("   " + self._plain(found["reason"]))
        cause = found["cause"]
        if cause is not None:
            where = place(cause["path"], cause["line"], self._cwd)
            known = f" {cause['graph_break']}" if cause["graph_break"] not in (None, identifier) else ""
            lines.append(f"   due to: {self._plain(short(cause['text']))} ({where}){known}")
        outer = [e for e in found["stack"] if (e["path"], e["line"]) != (found["path"], found["line"])]
        if outer:
            steps = (f"{printable(e['function'])} ({place(e['path'], e['line'], self._cwd)})" for e in outer)
            lines.append("   " + style.paint(style.plain("through " + " → ".join(steps)), "dim"))
        return lines

    def _graph(self, graph: Graph) -> list[str]:
        where = ", ".join(f"{printable(display(path, self._cwd))}:{rows}" for path, rows in graph["lines"].items())
        operations = [node for node in graph["nodes"] if node["op"] not in ("placeholder", "output")]
        lines = [
            f"   {self._style.paint('graph ' + str(graph['id']), 'cyan')}  {where}  ({counted(len(operations), 'op')})"
        ]
        shown = graph["nodes"][:_MOST_NODES]
        rows = []
        for node in shown:
            shape = "" if node["shape"] is None else f"[{', '.join(node['shape'])}]"
            dtype = (node["dtype"] or "").replace("torch.", "")
            line = str(node["line"]) if node["line"] else ""
            rows.append([node["op"], node["name"], f"{node['target']}{_arguments(node['args'])}", dtype, shape, line])
        lines += [
            "      " + row for row in table(("op", "name", "target", "dtype", "shape", "line"), rows, self._style)
        ]
        return lines + self._more(len(graph["nodes"]) - len(shown), "node")

    def _guards(self, frame: Frame) -> list[str]:
        """Those on the program's own values; the others are only counted."""
        rows: dict[tuple[str, str], list[str]] = {}
        for guard in frame["guards"]:
            key = (guard["source"], guard["expression"])
            if on_a_value(guard) and key not in rows:
                path = "" if guard["path"] == frame["path"] else f"{display(guard['path'] or '', self._cwd)}:"
                rows[key] = [*key, f"{path}{guard['line']}" if guard["line"] else ""]
        if not frame["guards"]:
            return []
        shown = list(rows.values())[:_MOST_GUARDS]
        others = counted(len(frame["guards"]) - len(rows), "other")
        lines = [
            f"   {self._style.paint('guards', 'cyan')}  {counted(len(rows), 'value')}, {others} (names, types, hooks)"
        ]
        lines += ["      " + row for row in table(("source", "holds while", "line"), shown, self._style)]
        return lines + self._more(len(rows) - len(shown), "guard")

    def _more(self, left: int, noun: str) -> list[str]:
        if left <= 0:
            return []
        text = f"      … and {counted(left, noun)} more (--output-format json has all)"
        return [self._style.paint(self._style.plain(text), "dim")]

    # calls after the first

    def _recompiles(self, entry: Entry) -> list[str]:
        lines = []
        for one in entry["recompiles"]:
            at = place(one["path"], one["line"], self._cwd)
            limit = ": the limit is reached, it runs eagerly from now on" if one["limit_reached"] else ""
            label = self._style.severity("recompiles", "warning")
            dimension = f" ({one['dimension']})" if one["dimension"] else ""
            called = f"{printable(function_name(one['function']))} at call {one['call'] + 1}{limit}"
            lines.append(f"   {self._style.paint(at, 'bold')}  {label}  {called}")
            lines.append(f"      no longer true: {self._plain(one['guard'])}{printable(dimension)}")
        return ["", *lines] if lines else []

    def _symbols(self, entry: Entry) -> list[str]:
        rows = [
            [one["name"], one["source"], one["range"], place(one["path"], one["line"], self._cwd)]
            for one in entry["symbols"]
        ]
        if not rows:
            return []
        shown = table(("symbol", "source", "range", "at"), rows, self._style)
        return ["", *("   " + row for row in shown)]

    # frontends

    def _matrix(self, entry: Entry) -> list[str]:
        names = [name for name in MATRIX if name in entry["matrix"]]
        if not names:
            return []
        rows = []
        for name in names:
            verdict = entry["matrix"][name]
            at = place(verdict["path"], verdict["line"], self._cwd)
            rows.append([frontend_name(name), outcome_words(verdict["outcome"]), at, with_other_inputs(verdict)])
        shown = table(("frontend", "these calls", "at", "with other inputs"), rows, self._style)
        lines = ["", *("   " + row for row in shown)]
        for name in names:
            verdict = entry["matrix"][name]
            if verdict["message"] and is_bad(verdict["outcome"]) and not (name == "dynamo" and entry["frames"]):
                lines.append(f"   {frontend_name(name)}: {self._plain(short(verdict['message'], 200))}")
            for one in [p for p in verdict["perturbed"] if is_bad(p["outcome"]) and p["message"]][:_MOST_PERTURBED]:
                lines.append(
                    f"   {frontend_name(name)} {outcome_words(one['outcome'])}, {self._plain(one['change'])}: "
                    f"{self._plain(short(one['message'], 200))}"
                )
            if verdict["counterexample"] is not None:
                lines += self._counterexample(name, verdict["counterexample"])
        return lines

    def _counterexample(self, frontend: str, found: Counterexample) -> list[str]:
        lines = [f"   {self._style.paint(f'{frontend_name(frontend)} is wrong for', 'red')}"]
        rows = (("inputs", found["inputs"]), ("eager", found["eager"]), ("got", found["got"]))
        for label, text in (*rows, ("difference", found["difference"])):
            shown = text if "\n" not in text else text.replace("\n", "\n" + " " * 18)
            lines.append(f"      {label:10}  " + "\n".join(self._plain(row) for row in shown.split("\n")))
        return lines

    # the other paths

    def _paths(self, entry: Entry) -> list[str]:
        """What other decisions lead to; the breaks of the given calls are told already."""
        paths = entry["paths"]
        told = {(b["path"], b["line"], b["column"]) for b in breaks_of(entry)}
        if not paths:
            return []
        dot, arrow = self._style.plain(" · "), self._style.plain(" → ")
        lines = ["", f"   {self._style.paint(counted(len(paths), 'path'), 'cyan')}"]
        for number, path in enumerate(paths[:_MOST_PATHS], 1):
            decided = arrow.join(f"{d['line']}:{d['column']} is {printable(d['value'])}" for d in path["decisions"])
            state = f"{counted(path['graphs'], 'graph')}{dot}{counted(len(path['breaks']), 'break')}"
            note = "" if path["status"] == "ok" else f"{dot}{self._plain(path['status'])}"
            lines.append(f"   {number:>3}  {decided or 'as it is'}  {state}{note}")
            lines += [
                f"        {place(b['path'], b['line'], self._cwd, b['column'])}  "
                f"{b['graph_break'] or 'break'}  {self._plain(short(b['reason'], 80))}"
                for b in path["breaks"]
                if (b["path"], b["line"], b["column"]) not in told
            ]
            told.update((b["path"], b["line"], b["column"]) for b in path["breaks"])
        return lines + self._more(len(paths) - _MOST_PATHS, "path")

    # what it costs

    def _costs(self, entry: Entry) -> list[str]:
        sections = (cost.section(entry, self._style), kernels.section(entry, self._cwd, self._style))
        return [line for rows in sections if rows for line in ("", *("   " + row if row else "" for row in rows))]

    def _output(self, output: str) -> list[str]:
        rows = output.rstrip().split("\n")
        if rows == [""]:
            return []
        shown = rows[-_OUTPUT_LINES:]
        lines = ["", f"   {self._style.paint('the program printed', 'dim')}"]
        return lines + [f"      {self._plain(row)}" for row in shown]


def _arguments(text: str) -> str:
    """The arguments of a node in parentheses, unless it has none."""
    inner = text.strip()
    if not inner or inner in ("()", "(,)"):
        return ""
    return inner if inner.startswith("(") else f"({inner})"
