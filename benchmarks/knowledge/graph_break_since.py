"""Write `analyzer/knowledge/graph_break_since.tsv`: the torch releases that have each id of the graph-break registry.

    pip download torch==2.8.0 --no-deps --only-binary=:all: -d wheels     # and each other release; nothing is installed
    python benchmarks/knowledge/graph_break_since.py wheels/*.whl > analyzer/knowledge/graph_break_since.tsv

The registry is `torch/_dynamo/graph_break_registry.json`; releases before 2.8 have none. A wheel's version is read from
its name; of a minor release the newest wheel given counts.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable

REGISTRY = "torch/_dynamo/graph_break_registry.json"
Version = tuple[int, int]


def registry_ids(wheel: str) -> frozenset[str]:
    """The ids of a wheel's registry; empty if it has none. Raises zipfile.BadZipFile for what is no wheel."""
    with zipfile.ZipFile(wheel) as archive:
        if REGISTRY not in archive.namelist():
            return frozenset()
        return frozenset(json.loads(archive.read(REGISTRY)))


def version_of(wheel: str) -> tuple[int, int, int]:
    """The release of a wheel by its file name. Raises ValueError if the name tells none."""
    match = re.match(r"torch-(\d+)\.(\d+)\.(\d+)", os.path.basename(wheel))
    if match is None:
        raise ValueError(f"{wheel} is not named like a wheel of torch")
    major, minor, patch = map(int, match.groups())
    return major, minor, patch


def rows(releases: dict[Version, frozenset[str]]) -> Iterable[tuple[str, str, str]]:
    """(id, first release, last release that has it or "" if the newest does), sorted by id."""
    order = sorted(releases)
    for gb in sorted(frozenset().union(*releases.values())):
        having = [version for version in order if gb in releases[version]]
        last = "" if having[-1] == order[-1] else _text(having[-1])
        yield gb, _text(having[0]), last


def _text(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


def main(wheels: list[str]) -> int:
    if not wheels:
        print(__doc__, file=sys.stderr)
        return 2
    releases = {version_of(wheel)[:2]: registry_ids(wheel) for wheel in sorted(wheels, key=version_of)}
    read = ", ".join(f"{_text(v)} {len(ids)}" for v, ids in sorted(releases.items()))
    print(f"# Ids of torch's graph-break registry by release ({read}), from {REGISTRY} of the wheels on PyPI.")
    print("# Made by benchmarks/knowledge/graph_break_since.py.")
    print("id\tsince\tlast")
    for row in rows(releases):
        print("\t".join(row))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
