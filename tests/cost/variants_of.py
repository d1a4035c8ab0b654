"""A program of its own for the tests: for each entry of `programs/breaking.py`, the variants that are found. One thread
from its start, since a process in which operators ran in parallel cannot fork."""

from __future__ import annotations

import json
import pathlib
import sys

import torch

from runtime_probe import selftest, versions
from runtime_probe.cost.neutral import places_of
from runtime_probe.cost.trial import apart, captured_trial, eager_trial
from runtime_probe.cost.variants import Variant, edits_of, without, without_all
from runtime_probe.matrix.isolate import mute
from runtime_probe.subject import ExpressionSubject, LoadedFile

INPUT = "torch.linspace(-1, 2, 12).reshape(3, 4)"


def shown(variant: Variant) -> dict[str, object]:
    edits = edits_of(variant.ways) or {}
    return {
        "lines": [place.line for place in variant.places],
        "how": variant.how,
        "reason": variant.reason,
        "texts": [edit.text for each in edits.values() for edit in each],
    }


def main(path: pathlib.Path, entries: dict[str, list[dict[str, object]]], out: pathlib.Path) -> None:
    file = LoadedFile(str(path), "breaking")
    found: dict[str, object] = {}
    for entry, fixes in entries.items():
        subject = ExpressionSubject(file, entry, [INPUT])
        trial = apart(lambda: eager_trial(subject), 120)  # noqa: B023
        breaks = apart(lambda: captured_trial(subject, trial), 120).breaks  # noqa: B023
        made = [without(subject, place, trial, fixes, 120) for place in places_of(breaks)]
        together = without_all(subject, made, trial, 120)
        left = []
        for variant in [*made, *([together] if together else [])]:
            if variant.ways:

                def lines_left(variant: Variant = variant) -> list[int]:
                    with variant.swap():
                        return [one["line"] for one in captured_trial(subject, trial).breaks]  # noqa: B023

                left.append(apart(lines_left, 120))
        found[entry] = {
            "mutates": trial.mutates,
            "changes": sorted(trial.changes),
            "variants": [shown(one) for one in made],
            "together": shown(together) if together else None,
            "left": left,
        }
    out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    versions.skip_statistics()
    selftest.run()  # what Dynamo does once is not done in every fork
    mute()
    main(pathlib.Path(sys.argv[1]), json.loads(sys.argv[2]), pathlib.Path(sys.argv[3]))
