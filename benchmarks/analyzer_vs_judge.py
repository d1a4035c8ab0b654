#!/usr/bin/env python3
"""Compare what the analyzer predicts with what real PyTorch does, for many small programs, and show every difference.

    python benchmarks/analyzer_vs_judge.py FRONTEND FILE_OR_FOLDER... [--workers 2]

A folder holds one program a file, a `.txt` file many programs separated by lines of `---`. The entry of a program is
`Net()` or `fn`; a first line `# EXPR` gives its inputs (default `torch.ones(2, 3)`). Imports that
are in common use are put in front of the programs of a `.txt` file. A line counts as found if the analyzer flags it and
the judge names it; where the judge names no line, any finding counts.
"""

from __future__ import annotations

import argparse
import collections
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analyzer.api import Options, analyze
from analyzer.outcome import BAD
from tests.truth.client import judge_all

INPUTS = "torch.ones(2, 3)"
IMPORTS = """import collections, contextlib, copy, enum, functools, itertools, json, math, operator, os
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from typing import Any, Callable, Dict, Final, Iterable, List, Literal, NamedTuple, Optional, Sequence, Set, Tuple
from typing import Union
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
"""
CAPTURES = {"script": "torch.jit.script", "fx": "torch.fx.symbolic_trace", "dynamo": "torch.compile"}


def programs(places: list[str]) -> list[tuple[str, str, int, str]]:
    """(name, source, lines put in front, inputs) of every program."""
    found = []
    for place in map(Path, places):
        files = sorted(place.glob("*.py")) if place.is_dir() else [place]
        for file in files:
            texts = (
                file.read_text(encoding="utf-8").split("\n---\n")
                if file.suffix == ".txt"
                else [file.read_text(encoding="utf-8")]
            )
            front = IMPORTS if file.suffix == ".txt" else ""
            for number, text in enumerate(texts):
                head, _, rest = text.strip("\n").partition("\n")
                inputs = head[2:] if head.startswith("# ") else INPUTS
                body = rest if head.startswith("# ") else text.strip("\n")
                found.append((f"{file.name}:{number}", front + body + "\n", front.count("\n"), inputs))
    return found


def entry_of(source: str) -> tuple[str, str]:
    """(entry expression, qualified name of the captured function)."""
    return ("Net()", "Net.forward") if "class Net" in source else ("fn", "fn")


def predicted(source: str, frontend: str) -> dict[int, str]:
    """Line → message of the analyzer's bad findings under one frontend."""
    path = "/programs/program.py"
    entry, _ = entry_of(source)
    capture = CAPTURES.get(frontend, "torch.compile")
    text = f'{source}\n\nif __name__ == "__main__":\n    captured = {capture}({entry})\n'
    report = analyze([path], Options(frontends=(frontend,), torch=(2, 13)), {path: text})  # type: ignore[arg-type]
    assert not report.errors, report.errors
    return {f.line: f"{f.code} {f.message}" for f in report.findings if f.outcomes.get(frontend) in BAD}  # type: ignore[call-overload]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("frontend")
    parser.add_argument("places", nargs="+")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    found = programs(options.places)
    requests = [
        {
            "source": source,
            "entry": entry_of(source)[0],
            "inputs": inputs,
            "variants": [],
            "frontends": [options.frontend],
        }
        for _, source, _, inputs in found
    ]
    count: collections.Counter[str] = collections.Counter()
    for (name, source, front, _), reply in zip(found, judge_all(requests, options.workers)):
        verdict = reply["verdicts"][options.frontend]
        flagged = predicted(source, options.frontend)
        text = source.split("\n", front)[-1] if front else source
        if verdict["outcome"] == "unknown":
            count["not judged"] += 1
        elif verdict["outcome"] in BAD:
            lines = set(verdict["lines"])
            right = bool(lines & flagged.keys()) or bool(flagged) and not lines
            count["found" if right else "missed"] += 1
            if not right:
                told = {line - front: message for line, message in flagged.items()}
                where = sorted(n - front for n in lines)
                print(f"MISSED {name} at {where}: {verdict['message'][:120]}\n  flagged {told}\n{text}")
        elif flagged:
            count["wrong"] += 1
            print(f"WRONG {name}: { ({line - front: message for line, message in flagged.items()}) }\n{text}")
        else:
            count["rightly silent"] += 1
    print(dict(count))


if __name__ == "__main__":
    main()
