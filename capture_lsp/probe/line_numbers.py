"""Line numbers as the probe's report writes them: `12-18,20`."""

from __future__ import annotations

from collections.abc import Iterable


def parsed(text: str) -> list[int]:
    """Each of the lines."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def written(lines: Iterable[int]) -> str:
    """Lines in any order, each once."""
    runs: list[list[int]] = []
    for line in sorted(set(lines)):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
