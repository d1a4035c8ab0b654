"""What to probe, as the user names it: `FILE`, `FILE::ENTRY`, or JSON lines of a batch; how Python finds the file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.project import import_root
from capture_lsp.errors import UserError
from capture_lsp.paths import absolute

#: The name of a file that cannot be imported under its own.
PROBED = "__probed__"


@dataclass(frozen=True)
class Target:
    """`text`: as given, it names the target in the report. `entry` None: what the file itself captures.

    `init`: the arguments of the entry's constructor, as an expression. `inputs`: one expression for each call.
    """

    text: str
    path: str
    entry: str | None = None
    inputs: tuple[str, ...] = ()
    init: str | None = None


@dataclass(frozen=True)
class Work:
    """How targets are probed. `parts`: what is done for each; `seconds` for one target, without those that are limited
    by themselves (`part_seconds`); `memory` in bytes; `fixes`: by path of the target's file, see `probe.fixes`."""

    parts: tuple[str, ...] = ("dynamo",)
    seconds: float = 120.0
    memory: int = 8 << 30
    output: int = 1 << 16
    arguments: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    part_seconds: Mapping[str, float] = field(default_factory=dict)
    fixes: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


def parse(text: str, cwd: str, inputs: Iterable[str] = (), init: str | None = None) -> Target:
    """`FILE[::ENTRY]`. Raises UserError for an empty part, and for inputs without anything to give them to."""
    path, separator, entry = text.partition("::")
    given = tuple(inputs)
    if not path or (separator and not entry.strip()):
        raise UserError(f"a target is written FILE or FILE::ENTRY, not {text!r}")
    if not separator and (given or init is not None):
        what = "inputs" if given else "init"
        raise UserError(f"{text}: {what} without an entry: write {text}::NAME to say what gets them")
    return Target(text, absolute(path, cwd), entry.strip() or None, given, init)


def batch(lines: Iterable[str], cwd: str, where: str) -> list[Target]:
    """JSON lines `{"target": "FILE[::ENTRY]", "inputs": ["EXPR", ...], "init": "EXPR"}`; empty lines are left out."""
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text, inputs, init = row["target"], row.get("inputs") or [], row.get("init")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(f'{where}:{number}: not a JSON object with a "target"') from None
        texts = [text, *inputs, *([] if init is None else [init])] if isinstance(inputs, list) else [None]
        if not all(isinstance(part, str) for part in texts):
            raise UserError(f'{where}:{number}: "target" and "init" are strings, "inputs" is a list of strings')
        found.append(parse(text, cwd, inputs, init))
    return found


def module_of(path: str) -> tuple[str, str]:
    """(module name, import root) of a file: dotted inside a package, else its own name with its folder as the root."""
    root, name, _ = import_root(path)
    known = name.partition(".")[0] in sys.stdlib_module_names
    if known or not all(part.isidentifier() for part in name.split(".")) or name == "__main__":
        return PROBED, root
    return name, root


def request(target: Target, work: Work, search_paths: Iterable[str] = ()) -> dict[str, Any]:
    """The job of a target, as the probe reads it (`runtime_probe.job.Job`); the client adds its id."""
    module, root = module_of(target.path)
    fixes = work.fixes.get(target.path)
    return {
        "path": target.path,
        "entry": target.entry,
        "inputs": list(target.inputs),
        "init": target.init,
        "module": module,
        "sys_path": list(dict.fromkeys([root, *search_paths])),
        "arguments": list(work.arguments),
        "parts": list(work.parts),
        "limits": {
            "seconds": work.seconds + sum(work.part_seconds.values()),
            "part": work.seconds / 2,
            "memory": work.memory,
            "output": work.output,
            "parts": dict(work.part_seconds),
        },
        "options": {**work.options, **({"fixes": list(fixes)} if fixes else {})},
    }
