"""A recompilation as Dynamo explains it: which guard failed, about which dimension, and on which line it was made."""

from __future__ import annotations

import re
from typing import Any, List, Optional

from runtime_probe.dynamo.guards import readable
from runtime_probe.job import one_line
from runtime_probe.report import Recompile

_COMMENT = re.compile(r"\s+# .*", re.DOTALL)
_AT = re.compile(r"(?:#.*?|\s)([\w./~+-]+\.py):(\d+) in (\w+)")
_SIZE = re.compile(r"tensor '([^']+)' size mismatch at index (\d+)")
_SHAPE = re.compile(r"(\w[\w.\[\]']*)\.(?:size\(\)|shape)\[(\d+)\]")


def of_payload(payload: Any, path: str, line: int, function: str, call: int) -> Optional[Recompile]:
    """From the payload of `recompile_reasons`, of which the first entry is that of the newest cached graph."""
    texts = _texts(payload)
    if not texts:
        return None
    text = texts[0]
    guard = re.sub(r"^\d+/\d+: ", "", text.strip())
    place = _AT.search(guard)
    return {
        "path": path,
        "line": int(place.group(2)) if place and _same_name(place.group(1), path) else line,
        "function": function,
        "call": call,
        "guard": one_line(readable(_COMMENT.sub("", guard)), 300),
        "dimension": dimension_of(guard),
        "limit_reached": False,
    }


def _texts(payload: Any) -> List[str]:
    if isinstance(payload, (list, tuple)):
        return [str(part) for part in payload]
    text = str(payload or "").strip()
    if text.startswith("["):
        import json

        try:
            return [str(part) for part in json.loads(text)]
        except ValueError:
            return [text]
    return [text.strip('"')] if text else []


def dimension_of(guard: str) -> Optional[str]:
    """The dimension whose size a guard is about, as `x.shape[0]`."""
    found = _SIZE.search(guard) or _SHAPE.search(guard)
    return f"{readable(found.group(1))}.shape[{found.group(2)}]" if found else None


def _same_name(shortened: str, path: str) -> bool:
    """Whether a path that torch may have cut at the front is this one."""
    return path.endswith(shortened.lstrip("~./")) or shortened.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]
