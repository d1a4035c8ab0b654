"""Large parts of recorded runs that occur again are stored once.

A graph is the same in every run that captured it. Inside the runs `{"$shared": n}` stands for the n-th shared part;
parts hold no such object themselves.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

#: Parts shorter than this, in characters of JSON, are not worth a reference.
_WORTH = 120


def shared(runs: list[Any]) -> tuple[list[Any], list[Any]]:
    """(runs with references, the parts)."""
    texts: Counter[str] = Counter()
    for run in runs:
        _count(run, texts)
    numbers: dict[str, int] = {}
    parts: list[Any] = []

    def replaced(value: Any) -> Any:
        if isinstance(value, (list, dict)):
            text = _text(value)
            if len(text) >= _WORTH and texts[text] > 1:
                if text not in numbers:
                    numbers[text] = len(parts)
                    parts.append(value)
                return {"$shared": numbers[text]}
        if isinstance(value, list):
            return [replaced(item) for item in value]
        if isinstance(value, dict):
            return {key: replaced(item) for key, item in value.items()}
        return value

    return [{key: replaced(item) for key, item in run.items()} for run in runs], parts


def _count(value: Any, texts: Counter[str]) -> None:
    """Count every list and object that is long enough; what stands inside of one that was met before is not new."""
    if not isinstance(value, (list, dict)):
        return
    text = _text(value)
    if len(text) < _WORTH:
        return
    texts[text] += 1
    if texts[text] == 1:
        for item in value.values() if isinstance(value, dict) else value:
            _count(item, texts)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
