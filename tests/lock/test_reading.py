"""Locks that a merge, an editor or a disk has damaged: each is refused, and told by what is wrong in it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from capture_lsp.errors import UserError
from capture_lsp.lock import lockfile
from capture_lsp.lock.reading import Malformed, loads
from capture_lsp.lock.records import Fingerprint, Lock, Locked, LockedBreak, dumps

LOCK = Lock(
    [{"target": "a.py"}, {"target": "b.py::Net", "inputs": ["torch.ones(2)"], "init": "(2,)"}],
    {
        "2.13.0": {
            "a.py::fn": Locked(
                "a.py",
                ("(float32[4])",),
                2,
                4,
                eager=("g",),
                breaks=(LockedBreak(Fingerprint("GB0170", "fn", "x.sum() > 0"), "a.py:7", ""),),
                guards=("TENSOR_MATCH",),
                matrix={"dynamo": "graph_break"},
                changes={"dynamo": {"values negated": "captured"}},
            )
        }
    },
)
ENTRY = "torch['2.13.0']['a.py::fn']"


def changed(path: tuple[str | int, ...], value: Any) -> str:
    """The lock's text with another value somewhere; without the value for `...`."""
    document = json.loads(dumps(LOCK))
    place = document
    for part in path[:-1]:
        place = place[part]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(document)


IN = ("torch", "2.13.0", "a.py::fn")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not JSON: Expecting value: line 1 column 1 (char 0)"),
        (dumps(LOCK)[:-40], "it is not JSON: "),
        (f"<<<<<<< HEAD\n{dumps(LOCK)}=======\n>>>>>>> work\n", "it holds the marks of a merge conflict"),
        ("[" * 100_000, "it is not JSON: "),
        ("[]", "it is not a capture lock: no JSON object"),
        ("{}", "it is not a capture lock: no `version`"),
        (changed(("version",), 2), "it is of version 2, this release reads 1"),
        (changed(("version",), "1"), 'it is of version "1", this release reads 1'),
        (changed(("version",), True), "it is of version true, this release reads 1"),
        (changed(("targets",), ...), "it has no `targets`"),
        (changed(("torch",), ...), "it has no `torch`"),
        (changed(("targets",), {}), "targets is not a list"),
        (changed(("targets",), [{}]), "targets[0] has no `target`"),
        (changed(("targets",), ["a.py"]), "targets[0] is not an object"),
        (changed(("targets",), [{"target": 3}]), "targets[0].target is not a string"),
        (changed(("targets",), [{"target": ""}]), "targets[0].target is empty"),
        (changed(("targets",), [{"target": "::fn"}]), "targets[0].target: '::fn' is not FILE or FILE::ENTRY"),
        (changed(("targets", 1, "inputs"), "x"), "targets[1].inputs is not a list"),
        (changed(("targets", 1, "inputs"), [3]), "targets[1].inputs[0] is not a string"),
        (changed(("targets", 1, "init"), 3), "targets[1].init is not a string"),
        (changed(("torch",), []), "torch is not an object"),
        (changed(("torch", "2.13.0"), []), "torch['2.13.0'] is not an object"),
        (changed((*IN[:2], IN[2]), None), f"{ENTRY} is not an object"),
        (changed((*IN, "graphs"), "2"), f"{ENTRY}.graphs is not a number of things"),
        (changed((*IN, "ops"), -1), f"{ENTRY}.ops is not a number of things"),
        (changed((*IN, "recompiles"), True), f"{ENTRY}.recompiles is not a number of things"),
        (changed((*IN, "eager"), "g"), f"{ENTRY}.eager is not a list"),
        (changed((*IN, "breaks"), [{}]), f"{ENTRY}.breaks[0] has no `id`"),
        (changed((*IN, "breaks", 0, "function"), 3), f"{ENTRY}.breaks[0].function is not a string"),
        (changed((*IN, "guards"), {"a": 1}), f"{ENTRY}.guards is not a list"),
        (changed((*IN, "matrix"), {"dynmo": "captured"}), f"{ENTRY}.matrix: 'dynmo' is no frontend"),
        (changed((*IN, "matrix"), {"dynamo": "fine"}), f"{ENTRY}.matrix['dynamo'] is not one of silently_wrong, "),
        (changed((*IN, "matrix"), {"dynamo": []}), f"{ENTRY}.matrix['dynamo'] is not one of silently_wrong, "),
        (changed((*IN, "changes"), {"dynamo": "captured"}), f"{ENTRY}.changes['dynamo'] is not an object"),
    ],
)
def test_a_damaged_lock_is_told_by_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed) as caught:
        loads(text)
    assert str(caught.value).startswith(message)
    (tmp_path / "capture.lock").write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as told:
        lockfile.read(str(tmp_path / "capture.lock"))
    assert str(told.value).endswith("; restore it, or delete it and `capture-lsp lock` writes a new one")
    assert "\n" not in str(told.value)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a document."""
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in rows:
        yield (*path, name)
        yield from places(one, (*path, name))


def test_no_value_of_a_wrong_kind_is_taken_anywhere() -> None:
    document = json.loads(dumps(LOCK))
    tried = 0
    for path in places(document):
        value: Any = document
        for part in path:
            value = value[part]
        for other in (3.5, [[]], {"a": {}}, None):
            if type(other) is type(value) or (path[-1] == "init" and other is None):
                continue
            tried += 1
            with pytest.raises(Malformed):
                loads(changed(path, copy.deepcopy(other)))
    assert tried > 80


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "capture.lock"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(UserError, match="it is not UTF-8"):
        lockfile.read(str(path))
    path.write_bytes(b"\xef\xbb\xbf" + dumps(LOCK).replace("\n", "\r\n").encode())  # an editor's
    read = lockfile.read(str(path))
    assert read is not None
    assert dumps(read) == dumps(LOCK)
    with pytest.raises(UserError, match="cannot read it"):
        lockfile.read(str(tmp_path))
