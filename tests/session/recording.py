"""A recorded editing session: `session.jsonl`, edits of five files of the installed torch, key by key.

The first lines name the files, each with the digest of the text that was edited; the others are edits in their order.
What an undo brings back is not written down: it is what the text held before the edit that it takes back.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

RECORDING = Path(__file__).with_name("session.jsonl")
UNDO = "undo"

Place = tuple[int, int]  #: line and UTF-16 column, from 0


@dataclass(frozen=True)
class Edit:
    """The range from `start` to `end` becomes `text`. `kind`: what the person does."""

    file: str
    kind: str
    start: Place
    end: Place
    text: str


def offset(text: str, place: Place) -> int:
    """Where a place is in a text whose lines end with a newline."""
    at = 0
    for _ in range(place[0]):
        at = text.index("\n", at) + 1
    column = 0
    while column < place[1]:
        column += 1 + (ord(text[at]) > 0xFFFF)
        at += 1
    return at


def place(text: str, at: int) -> Place:
    start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at), sum(1 + (ord(c) > 0xFFFF) for c in text[start:at])


def applied(text: str, edit: Edit) -> str:
    return text[: offset(text, edit.start)] + edit.text + text[offset(text, edit.end) :]


def inverse(text: str, edit: Edit) -> Edit:
    """The edit that takes one back which is about to be made."""
    start, end = offset(text, edit.start), offset(text, edit.end)
    return Edit(edit.file, UNDO, edit.start, place(applied(text, edit), start + len(edit.text)), text[start:end])


def torch_text(file: str) -> tuple[Path, str]:
    """A file of the installed torch, and its text."""
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / file
    return path, path.read_bytes().decode("utf-8")


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=8).hexdigest()


def load() -> tuple[dict[str, str], list[Edit]]:
    """The digest of each file, and the edits, with the texts that the undone ones bring back."""
    rows = [json.loads(line) for line in RECORDING.read_text(encoding="utf-8").splitlines()]
    digests = {row["file"]: row["digest"] for row in rows if "digest" in row}
    texts = {file: torch_text(file)[1] for file in digests}
    if any(digest(texts[file]) != known for file, known in digests.items()):
        return digests, []
    taken: dict[str, list[Edit]] = {file: [] for file in digests}
    edits = []
    for row in rows:
        if "digest" in row:
            continue
        file = row["file"]
        if row["kind"] == UNDO:
            edit = taken[file].pop()
        else:
            edit = Edit(file, row["kind"], tuple(row["start"]), tuple(row["end"]), row["text"])
            taken[file].append(inverse(texts[file], edit))
        texts[file] = applied(texts[file], edit)
        edits.append(edit)
    return digests, edits


def save(digests: dict[str, str], edits: Iterable[Edit]) -> None:
    rows: list[dict[str, object]] = [{"file": file, "digest": known} for file, known in digests.items()]
    for edit in edits:
        row: dict[str, object] = {"file": edit.file, "kind": edit.kind}
        if edit.kind != UNDO:
            row.update(start=edit.start, end=edit.end, text=edit.text)
        rows.append(row)
    RECORDING.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
