"""A graph break as Dynamo reports it, in the report's form."""

from __future__ import annotations

import functools
import json
import os
import re
from typing import Any, Dict, List, Optional, Tuple

import torch

from runtime_probe.dynamo import places
from runtime_probe.job import one_line
from runtime_probe.report import Break, Cause

_ID = re.compile(r"/gb(\d+)\.html", re.IGNORECASE)
_AT = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
_EXPLANATION = re.compile(r"Explanation: (.*?)(?:\n\s*Hint:|\n\s*\n|\Z)", re.DOTALL)
_ANOTHER = "*** While handling this graph break, another graph break occurred: ***"
_LEADS = (
    "Failed to handle graph break gracefully. Skipping the function and falling back to eager. ",
    "Encountered graph break that we cannot resume from. Compiling up to the previous resumable state, "
    "then skipping the rest of the function. ",
)


def messages_of(error: Optional[BaseException], text: str) -> List[str]:
    """What Dynamo met, then each further break that it met while it handled the one before."""
    message = str(getattr(error, "msg", None) or error or text)
    for lead in _LEADS:
        message = message.replace(lead, "")
    found = [part.strip() for part in message.split(_ANOTHER) if part.strip()]
    cause = getattr(error, "__cause__", None)
    if isinstance(cause, BaseException) and hasattr(cause, "msg"):
        found = [part for part in messages_of(cause, "") if part not in found] + found
    return found or [text]


def id_of(message: str) -> Optional[str]:
    """The registry id of one message, from its link or from its first line."""
    linked = _ID.search(message)
    return "GB" + linked.group(1) if linked else _registry().get(message.split("\n")[0].strip())


def ids_of(error: Optional[BaseException]) -> List[str]:
    """Registry ids of an exception: of why Dynamo could not go on, then of what it met first."""
    return [i for i in map(id_of, reversed(messages_of(error, ""))) if i]


@functools.cache
def _registry() -> Dict[str, str]:
    """Id by the kind of break, from the list that ships in torch since 2.8."""
    path = os.path.join(os.path.dirname(torch.__file__), "_dynamo", "graph_break_registry.json")
    try:
        with open(path, encoding="utf-8") as file:
            return {entry["Gb_type"]: name for name, entries in json.load(file).items() for entry in entries}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def reason_of(message: str) -> str:
    """One message on one line: the kind of break and its explanation."""
    kind = message.strip().split("\n")[0].strip()
    explained = _EXPLANATION.search(message)
    return one_line(f"{kind}: {explained.group(1)}" if explained else kind, 400)


def skips(reason: str, resuming: bool) -> str:
    """What a break costs besides the graph: "" (resumed behind it), "function" (its frame runs eagerly as a whole) or
    "rest" (what follows it in its frame)."""
    if reason.startswith("Failed to handle graph break gracefully"):
        return "rest" if resuming else "function"
    return "rest" if reason.startswith("Encountered graph break that we cannot resume from") else ""


def from_exception(tx: Any, reason: str, error: Any, given_stack: Any) -> Break:
    """A break that the translator logged."""
    stack = list(getattr(error, "real_stack", None) or given_stack or _current_stack())
    number, frame = places.innermost(stack)
    instruction = _instruction(tx)
    if frame is None and tx is not None:
        path, where = tx.f_code.co_filename, instruction or places.whole_line(tx.f_code.co_filename, tx.lineno or 1)
    elif frame is None:
        return outside(str(error or reason))
    else:
        path, where = frame.filename, places.of_summary(frame) or places.whole_line(frame.filename, 1)
        outer = tx is not None and number == 0 and len(stack) == 1
        if outer and instruction is not None and instruction[0] == where[0]:
            where = instruction
    messages = messages_of(error, reason)
    cause: Optional[Cause] = None
    if len(messages) > 1:
        cause = {"path": path, "line": where[0], "text": reason_of(messages[0]), "graph_break": id_of(messages[0])}
    made: Break = {
        "path": path,
        "line": where[0],
        "column": where[1],
        "end_line": where[2],
        "end_column": where[3],
        "reason": reason_of(messages[-1]),
        "graph_break": id_of(messages[-1]),
        "cause": cause,
        "stack": places.stack_of(stack),
        "resume": _resume_name(tx) if tx is not None and not skips(reason, False) else None,
    }
    return made


def _instruction(tx: Any) -> Any:
    position = getattr(getattr(tx, "current_instruction", None), "positions", None)
    return None if position is None else places.of_positions(tx.f_code.co_filename, position)


def _resume_name(tx: Any) -> str:
    name = tx.f_code.co_name
    return f"torch_dynamo_resume_in_{places.original_name(name)}_at_{tx.lineno}"


def _current_stack() -> List[Any]:
    extract = getattr(torch._guards.TracingContext, "extract_stack", None)
    try:
        return list(extract()) if extract is not None else []
    except Exception:
        return []


def outside(text: str) -> Break:
    """The same, from the payload of the structured trace."""
    places_in_text: List[Tuple[str, int, str]] = [
        (path, int(line), name)
        for path, line, name in _AT.findall(text.split("Traceback")[0])
        if places.is_inside(path)
    ]
    header = re.search(r"Graph break in user code at (.+):(\d+)", text)
    if header and not places_in_text and places.is_inside(header.group(1)):
        places_in_text = [(header.group(1), int(header.group(2)), "")]
    ids = list(dict.fromkeys("GB" + digits for digits in _ID.findall(text)))
    path, line = (places_in_text[-1][0], places_in_text[-1][1]) if places_in_text else ("", 0)
    where = places.whole_line(path, line) if path else (0, 0, 0, 0)
    explained = _EXPLANATION.search(text)
    return {
        "path": path,
        "line": where[0],
        "column": where[1],
        "end_line": where[2],
        "end_column": where[3],
        "reason": one_line(explained.group(1) if explained else text, 400),
        "graph_break": ids[0] if ids else None,
        "cause": None,
        "stack": [{"path": p, "line": n, "function": places.original_name(f)} for p, n, f in places_in_text],
        "resume": None,
    }
