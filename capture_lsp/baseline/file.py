"""The file of a baseline: JSON, one finding a line, without line numbers, the same bytes for the same findings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from capture_lsp.baseline.fingerprint import Fingerprint
from capture_lsp.errors import UserError
from capture_lsp.textfile import write_atomically
from capture_lsp.torch_versions import text as version_text

VERSION = 2
_TEXTS = ("code", "path", "function", "expression", "values", "meaning", "statement")
_LISTS = ("local", "outline", "expanded")
_MOST = 100_000  #: of one finding
#: Members of a row that are left out where they are as another one.
_AS_FORMER = (("meaning", "values"), ("values", "expression"), ("expanded", "outline"))


@dataclass(frozen=True)
class Baseline:
    """Known findings, each as often as it occurred, and how they were judged."""

    findings: tuple[Fingerprint, ...]
    torch: str
    frontends: tuple[str, ...] = ()


def judged_as(torch: tuple[int, int], frontends: Iterable[str], findings: Iterable[Fingerprint]) -> Baseline:
    """The baseline of a run."""
    return Baseline(tuple(findings), version_text(torch), tuple(frontends))


def write(path: str, baseline: Baseline) -> None:
    """Write a baseline. Raises UserError."""
    counted = Counter(baseline.findings)
    rows = []
    for fingerprint in sorted(counted, key=_order):
        row: dict[str, Any] = asdict(fingerprint)
        row.update({name: " ".join(row[name]) for name in _LISTS})
        for name, former in _AS_FORMER:  # what says nothing new is left out
            if row[name] == row[former]:
                del row[name]
        row = {name: value for name, value in row.items() if value or name not in _LISTS}
        if counted[fingerprint] > 1:
            row["count"] = counted[fingerprint]
        rows.append(json.dumps(row, ensure_ascii=False))
    body = "[\n  " + ",\n  ".join(rows) + "\n ]" if rows else "[]"
    head = {"version": VERSION, "torch": baseline.torch, "frontends": list(baseline.frontends)}
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    text = "{\n" + ",\n".join([*lines, f' "findings": {body}']) + "\n}\n"
    try:
        write_atomically(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None


def _order(f: Fingerprint) -> tuple[str, ...]:
    return (f.path, f.function, f.code, f.expression, f.values, f.meaning, f.statement)


def read(path: str) -> Baseline:
    """Read a baseline. Raises UserError."""
    try:
        with open(path, encoding="utf-8-sig") as stream:
            document = json.load(stream)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}; --write-baseline writes it") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not a baseline: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise UserError(f"{path}: not a baseline: no list of findings")
    if document.get("version") != VERSION:
        raise UserError(f"{path}: a baseline of version {document.get('version')}; write it anew with --write-baseline")
    frontends = document.get("frontends", [])
    if not isinstance(frontends, list):
        raise UserError(f"{path}: not a baseline: no list of frontends")
    found: list[Fingerprint] = []
    for number, row in enumerate(document["findings"], 1):
        try:
            count = row.get("count", 1)
            if type(count) is not int or not 0 < count <= _MOST:
                raise ValueError
            found += [_fingerprint(row)] * count
        except (KeyError, TypeError, ValueError, AttributeError):
            raise UserError(f"{path}: not a baseline: finding {number} is not complete") from None
    return Baseline(tuple(found), str(document.get("torch", "")), tuple(map(str, frontends)))


def _fingerprint(row: Mapping[str, Any]) -> Fingerprint:
    whole = {**dict.fromkeys(("local", "outline"), ""), **row}
    for name, former in reversed(_AS_FORMER):
        whole.setdefault(name, whole[former])
    if not all(isinstance(whole[name], str) for name in (*_TEXTS, *_LISTS)):
        raise TypeError
    return Fingerprint(*(whole[name] for name in _TEXTS), *(tuple(whole[name].split()) for name in _LISTS))
